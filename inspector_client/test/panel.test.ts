import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createState, type State } from '../src/basics';
import type { Connection } from '../src/connection/session';
import type { Queue } from '../src/queue/queue';
import { createInspectionsView } from '../src/workbench/inspections-view';
import { createPanel, type PanelView } from '../src/workbench/panel';
import { createTabs, item } from './fakes';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function panelOf(queue: Queue, panelShown: State<boolean>): HTMLElement {
  const connection = createState<Connection>({ state: 'offline' });
  const view = createInspectionsView(
    { queue, open: vi.fn(), marked: createState(true), find: vi.fn(), undo: () => false },
    { actions: [], itemActions: () => [], filters: [] },
  );
  return createPanel({ connection, panelShown }, [view]).element;
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

test('tabs show one view at a time, which alone is told that it can be seen', () => {
  const connection = createState<Connection>({ state: 'offline' });
  const panelShown = createState(false);
  const viewOf = (name: string) => ({
    name,
    element: document.createElement('p'),
    shown: vi.fn<NonNullable<PanelView['shown']>>(),
    count: createState(0),
  });
  const views = [viewOf('One'), viewOf('Two')];
  const panel = createPanel({ connection, panelShown }, views);
  const tabs = [...panel.element.querySelectorAll('[role=tab]')];
  panel.open('Two');
  expect(panelShown.value).toBe(true);
  expect(tabs.map((tab) => tab.ariaSelected)).toEqual(['false', 'true']);
  expect(views.map(({ shown }) => shown.mock.calls)).toEqual([[], [[true]]]);
  panelShown.set(false);
  expect(views[1]?.shown).toHaveBeenLastCalledWith(false);
  views[0]?.count.set(3);
  expect(tabs[0]?.textContent).toBe('One3');
});
