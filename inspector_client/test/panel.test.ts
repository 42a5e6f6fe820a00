import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createState } from '../src/basics';
import type { Connection } from '../src/connection/session';
import { createPanel } from '../src/ui/panel';
import { createTabs, item } from './fakes';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what was just now ages while the panel is open', () => {
  const queue = createTabs().open();
  const panel = createPanel(
    queue,
    createState<Connection>({ state: 'offline' }),
    createState(true),
    vi.fn(),
  );
  queue.receive([item('x', { timestamp: Date.now() })]);
  vi.advanceTimersByTime(300);
  expect(panel.textContent).toContain('just now');
  vi.advanceTimersByTime(80_000);
  expect(panel.textContent).toContain('1 min ago');
});

test('a closed panel draws nothing', () => {
  const queue = createTabs().open();
  const shown = createState(false);
  const panel = createPanel(queue, createState<Connection>({ state: 'offline' }), shown, vi.fn());
  queue.receive([item('x')]);
  vi.advanceTimersByTime(300);
  expect(panel.textContent).not.toContain('about x');
  shown.set(true);
  expect(panel.textContent).toContain('about x');
});
