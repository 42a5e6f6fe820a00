import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createState, type State } from '../src/basics';
import type { Connection } from '../src/connection/session';
import type { Queue } from '../src/queue/queue';
import { createPanel } from '../src/workbench/panel';
import { createTabs, item } from './fakes';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function panelOf(queue: Queue, panelShown: State<boolean>): HTMLElement {
  const connection = createState<Connection>({ state: 'offline' });
  return createPanel({ queue, connection, panelShown, open: vi.fn() });
}

test('what was just now ages while the panel is open', () => {
  const queue = createTabs().open();
  const panel = panelOf(queue, createState(true));
  queue.receive([item('x', { timestamp: Date.now() })]);
  vi.advanceTimersByTime(300);
  expect(panel.textContent).toContain('just now');
  vi.advanceTimersByTime(80_000);
  expect(panel.textContent).toContain('1 min ago');
});

test('a closed panel draws nothing', () => {
  const queue = createTabs().open();
  const shown = createState(false);
  const panel = panelOf(queue, shown);
  queue.receive([item('x')]);
  vi.advanceTimersByTime(300);
  expect(panel.textContent).not.toContain('about x');
  shown.set(true);
  expect(panel.textContent).toContain('about x');
});
