import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createState, type State } from '../src/basics';
import type { Connection } from '../src/connection/session';
import type { Reply } from '../src/protocol';
import type { Queue } from '../src/queue/queue';
import { handlerOf } from '../src/ui/listen';
import { createInspectionsView } from '../src/workbench/inspections-view';
import { takeKept } from '../src/workbench/kept';
import { createPanel, type PanelView } from '../src/workbench/panel';
import { createUndo } from '../src/workbench/undo';
import { createTabs, item } from './fakes';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function panelOf(queue: Queue, panelShown: State<boolean>): HTMLElement {
  const connection = createState<Connection>({ state: 'offline' });
  const view = createInspectionsView(
    { queue, open: vi.fn(), marked: createState(true), find: vi.fn(), undo: () => false },
    { actions: [], itemActions: () => [] },
  );
  return createPanel({ connection, panelShown }, [view]).element;
}

test('what was just now ages while the panel is open', () => {
  const queue = createTabs().open();
  const panel = panelOf(queue, createState(true));
  const said: Reply = { id: 'r', from: 'user', text: 'Two words', at: Date.now() };
  queue.receive([item('x', { timestamp: Date.now(), replies: [said] })]);
  vi.advanceTimersByTime(300);
  const reply = panel.querySelector('.reply');
  expect(panel.textContent?.match(/just now/g)).toHaveLength(2);
  vi.advanceTimersByTime(80_000);
  expect(panel.textContent?.match(/1 min ago/g)).toHaveLength(2);
  // A selection in it stays.
  expect(panel.querySelector('.reply')).toBe(reply);
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

function listOf(queue: Queue, undo = () => false) {
  const view = createInspectionsView(
    { queue, open: vi.fn(), marked: createState(true), find: vi.fn(), undo },
    { actions: [], itemActions: () => [] },
  );
  document.body.replaceChildren(view.element);
  view.shown?.(true);
  return view;
}

/** Presses a button of ours, which has no listener of its own. */
function press(view: { element: HTMLElement }, name: string, of = ''): void {
  const buttons = [...view.element.querySelectorAll('button')].filter(
    (button) => button.closest('.item')?.textContent?.includes(of) ?? of === '',
  );
  const nameOf = (one: Element) =>
    one.ariaLabel ?? one.getAttribute('aria-label') ?? one.textContent;
  const button = buttons.find((one) => nameOf(one)?.startsWith(name));
  if (!button) throw new Error(`There is no ${name}.`);
  handlerOf(button, 'click')?.(new Event('click'));
  vi.advanceTimersByTime(50);
}

const shownIn = ({ element }: { element: HTMLElement }) =>
  [...element.querySelectorAll('.item > .description')].map((one) => one.textContent);

test('what is accepted folds away, and is cleared in one go', () => {
  const queue = createTabs().open();
  queue.receive([
    item('x', { status: 'completed', updated: Date.now() }),
    item('y', { timestamp: 2 }),
  ]);
  const view = listOf(queue);
  expect(shownIn(view)).toEqual(['about x', 'about y']);
  press(view, 'Accept', 'about x');
  expect(shownIn(view)).toEqual(['about y']);
  press(view, 'Finished (1)');
  expect(shownIn(view)).toEqual(['about y', 'about x']);
  press(view, 'Clear');
  expect(queue.items().map(({ id }) => id)).toEqual(['y']);
  expect(queue.removed()).toHaveLength(1);
});

test('a reply is written beneath the thread, which says who said what', () => {
  const queue = createTabs().open();
  const asked = {
    id: 'r2',
    from: 'agent',
    kind: 'question',
    name: 'Ada',
    text: 'Which green?',
    at: 2,
  };
  queue.receive([item('x', { replies: [asked as Reply] })]);
  const view = listOf(queue);
  press(view, 'Reply');
  const field = view.element.querySelector('textarea');
  if (field) field.value = 'Moss';
  press(view, 'Send');
  const said = [...view.element.querySelectorAll('.reply')].map((one) => one.textContent);
  expect(said).toEqual([
    expect.stringMatching(/^Ada asks · .*Which green\?$/),
    expect.stringMatching(/^You · .*Moss$/),
  ]);
  expect(queue.unsent()).toMatchObject([{ kind: 'reply', text: 'Moss' }]);
});

test('what is half-written is there again after a reload, once its inspection is', () => {
  const [before, after] = [createTabs().open(), createTabs().open()];
  const left = listOf(before);
  const found = ['w', 'x', 'y', 'z'].map((id, n) => item(id, { timestamp: n + 1 }));
  before.receive(found);
  vi.advanceTimersByTime(300);
  for (const id of ['x', 'y']) press(left, 'Reply', `about ${id}`);
  press(left, 'Edit note', 'about z');
  const [one, two, three] = left.element.querySelectorAll('textarea');
  for (const field of [one, two, three]) if (field) field.value = 'half writ';
  two?.focus();
  const written = left.drafts();
  expect(written.map(({ hasFocus }) => hasFocus)).toEqual([false, true, false]);
  sessionStorage.setItem('pageside-panel', JSON.stringify({ view: 'A', drafts: written }));

  const { view: name, drafts } = takeKept(() => sessionStorage);
  expect(name).toBe('A');
  expect(takeKept(() => sessionStorage)).toEqual({ view: '', drafts: [] });
  const view = listOf(after);
  view.resume(drafts);
  expect(view.drafts()).toEqual(written);
  // One of them was completed meanwhile: the reply is what is still to do.
  after.receive(found.map((one) => (one.id === 'x' ? { ...one, status: 'failed' as const } : one)));
  vi.advanceTimersByTime(300);
  const fields = [...view.element.querySelectorAll('textarea')];
  expect(fields.map(({ value }) => value)).toEqual(['half writ', 'half writ', 'half writ']);
  press(view, 'Reopen', 'about x');
  press(view, 'Send', 'about y');
  press(view, 'Save');
  expect(after.unsent()).toMatchObject([
    { inspection: 'x', status: 'pending', message: 'half writ' },
    { inspection: 'y', kind: 'reply', text: 'half writ' },
    { inspection: 'z', kind: 'edit', description: 'half writ' },
  ]);
  expect(view.drafts()).toEqual([]);
});

test.each([
  '{',
  '7',
  '{"drafts":[7,{"id":1,"kind":"edit","text":""},{"id":"x","kind":"no","text":""}]}',
])('of a kept panel that is broken nothing is taken: %s', (raw) => {
  sessionStorage.setItem('pageside-panel', raw);
  expect(takeKept(() => sessionStorage)).toEqual({ view: '', drafts: [] });
});

test('reopening may say why, or not', () => {
  const queue = createTabs().open();
  for (const id of ['x', 'y']) queue.receive([item(id, { status: 'failed' })]);
  const view = listOf(queue);
  for (const [id, words] of [
    ['x', 'Again'],
    ['y', ''],
  ] as const) {
    press(view, 'Reopen', `about ${id}`);
    const field = view.element.querySelector('textarea');
    if (field) field.value = words;
    press(view, 'Reopen', `about ${id}`);
  }
  expect(queue.unsent()).toMatchObject([
    { inspection: 'x', status: 'pending', message: 'Again' },
    { inspection: 'y', status: 'pending' },
  ]);
  expect(queue.unsent()[1]).not.toHaveProperty('message');
});

test('the filter takes words from anywhere in the inspection, and lists only what tells them apart', () => {
  const queue = createTabs().open();
  queue.receive([item('x', { intent: 'fix' }), item('y', { selector: '#total', timestamp: 2 })]);
  const view = listOf(queue);
  const [search] = view.element.querySelectorAll('input');
  const lists = [...view.element.querySelectorAll('select')];
  expect(lists.map(({ hidden }) => hidden)).toEqual([true, false, true]);
  if (!search) return;
  search.value = 'CARD #tot';
  handlerOf(search, 'input')?.(new Event('input'));
  expect(shownIn(view)).toEqual(['about y']);
  view.reveal('x');
  expect(shownIn(view)).toEqual(['about x', 'about y']);
});

test('what was deleted in one go is undone in one go, the latest first', () => {
  const queue = createTabs().open();
  queue.receive(['a', 'b', 'c'].map((id, n) => item(id, { timestamp: n + 1 })));
  const undo = createUndo(queue);
  expect(undo.element.textContent).toBe('');
  queue.remove(['a']);
  vi.advanceTimersByTime(100);
  expect(undo.element.textContent).toContain('Deleted: about a');
  queue.remove(['b', 'c']);
  vi.advanceTimersByTime(100);
  expect(undo.element.textContent).toContain('2 inspections');
  expect(undo.undo()).toBe(true);
  expect(queue.items().map(({ id }) => id)).toEqual(['b', 'c']);
  vi.advanceTimersByTime(8100);
  expect(undo.element.textContent).toBe('');
  expect(undo.undo()).toBe(false);
});

function manyIn(queue: Queue, count: number): void {
  const numbers = [...Array(count).keys()];
  queue.receive(numbers.map((n) => item(`n${n}`, { timestamp: n + 1, number: n + 1 })));
}

test('of a thousand inspections fifty stand in the document; the others are a press away, both ways', () => {
  const queue = createTabs().open();
  manyIn(queue, 1000);
  const view = listOf(queue);
  expect(view.element.querySelectorAll('.item')).toHaveLength(50);
  press(view, 'Show 50 more (of 950)');
  expect(shownIn(view)).toHaveLength(100);
  expect(document.activeElement?.querySelector('.description')?.textContent).toBe('about n50');
  // One far away is brought into view, and those around it alone.
  view.reveal('n700');
  expect(shownIn(view)).toHaveLength(50);
  expect(document.activeElement?.querySelector('.description')?.textContent).toBe('about n700');
  press(view, 'Show 50 earlier (of 675)');
  expect(shownIn(view).slice(0, 1)).toEqual(['about n625']);
  expect(document.activeElement?.querySelector('.description')?.textContent).toBe('about n674');
});

test('what the user is at stays in the document when others come before it', () => {
  const queue = createTabs().open();
  manyIn(queue, 60);
  const view = listOf(queue);
  press(view, 'Edit note', 'about n49');
  const field = view.element.querySelector('textarea');
  expect(document.activeElement).toBe(field);
  queue.receive([item('before', { timestamp: 0 })]);
  vi.advanceTimersByTime(300);
  expect(document.activeElement).toBe(field);
  expect(view.element.querySelectorAll('.item')).toHaveLength(51);
});

test('a change draws the inspection that it is about, and no other', async () => {
  const queue = createTabs().open();
  manyIn(queue, 1000);
  const view = listOf(queue);
  vi.advanceTimersByTime(300);
  const touched = new Set<Element | null | undefined>();
  const observer = new MutationObserver((records) => {
    for (const { target } of records) touched.add((target as Element).closest?.('.item'));
  });
  observer.observe(view.element, { childList: true, subtree: true, characterData: true });
  queue.receive([item('n3', { timestamp: 4, number: 4, rev: 2, description: 'Otherwise' })]);
  vi.advanceTimersByTime(300);
  await Promise.resolve();
  observer.disconnect();
  touched.delete(null);
  expect([...touched].map((one) => one?.textContent)).toEqual([
    expect.stringContaining('Otherwise'),
  ]);
});
