import { afterEach, expect, test, vi } from 'vitest';
import { limits, localKeys, sessionKeys } from '../src/protocol';
import { createEntries } from '../src/queue/entries';
import type { Queue } from '../src/queue/queue';
import { context, createTabs, item } from './fakes';

afterEach(() => void vi.useRealTimers());

const KEY = localKeys.items;
const CURRENT = sessionKeys.current;
const UNDO_MS = 8100;

test('notes of two tabs that never heard of each other are all kept', () => {
  const tabs = createTabs();
  const [a, b] = [tabs.open(false), tabs.open(false)];
  for (let n = 0; n < 20; n += 1) {
    a.add(context(), `a${n}`);
    b.add(context(), `b${n}`);
  }
  expect(JSON.parse(tabs.data.get(KEY) ?? '')).toHaveLength(40);
  expect(tabs.open().items()).toHaveLength(40);
});

test('a note made in one tab is shown in the other at once', () => {
  const tabs = createTabs();
  const [a, b] = [tabs.open(), tabs.open()];
  a.add(context(), 'greener');
  expect(b.items().map((one) => one.description)).toEqual(['greener']);
});

test('a new note is pending, unsent and the current one', () => {
  const tabs = createTabs();
  const queue = tabs.open();
  const { id } = queue.add(context(), 'greener');
  expect(queue.items()[0]).toMatchObject({ id, status: 'pending', rev: 0, author: 'user' });
  expect(queue.unsent()).toMatchObject([{ kind: 'create', item: { id, description: 'greener' } }]);
  expect(tabs.data.get(CURRENT)).toBe(id);
});

test('a note on an area keeps which elements it has', () => {
  const queue = createTabs().open();
  const where = { file: 'src/App.tsx', line: 1, column: 1, component: 'App' };
  const area = {
    bounds: { x: 1, y: 2, width: 3, height: 4 },
    total: 1,
    elements: [{ selector: 'p', tag: 'p', ...where }],
  };
  queue.add(context(), 'align', { area });
  expect(queue.unsent()).toMatchObject([{ kind: 'create', item: { area } }]);
});

test('an acknowledged change is not sent again by any tab', () => {
  const tabs = createTabs();
  const [a, b] = [tabs.open(), tabs.open()];
  a.add(context(), 'greener');
  const change = a.unsent()[0]?.change ?? '';
  a.settle([{ change, ok: true, rev: 1 }]);
  expect([a.unsent(), b.unsent()]).toEqual([[], []]);
  a.flush();
  expect(JSON.parse(tabs.data.get(KEY) ?? '')[0]).toMatchObject({ rev: 1 });
});

test('what the user changed counts on top of any revision that arrives', () => {
  const queue = createTabs().open();
  queue.receive([item('x')]);
  queue.edit('x', 'mine');
  queue.receive([item('x', { rev: 2, status: 'in-progress', description: 'old' })]);
  expect(queue.items()[0]).toMatchObject({ description: 'mine', status: 'in-progress' });
  expect(queue.unsent()).toMatchObject([{ kind: 'edit', description: 'mine' }]);
});

test('the higher revision wins, in whatever order they come', () => {
  const queue = createTabs().open();
  queue.receive([item('x', { rev: 3, status: 'completed', message: 'done' })]);
  queue.receive([item('x', { rev: 2, status: 'in-progress' })]);
  expect(queue.items()[0]).toMatchObject({ rev: 3, status: 'completed' });
});

test('news from the companion is neither passed on to other tabs nor written at once', () => {
  vi.useFakeTimers();
  const tabs = createTabs();
  const [a, b] = [tabs.open(), tabs.open()];
  const said = vi.spyOn(tabs, 'said');
  const written = vi.spyOn(tabs.data, 'set');
  for (let rev = 1; rev <= 5; rev += 1) for (const tab of [a, b]) tab.receive([item('x', { rev })]);
  expect(written).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(said).not.toHaveBeenCalled();
  // What the first tab wrote is all that the second one would write.
  expect(written).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});

test('other tabs hear of what changed only', () => {
  const tabs = createTabs();
  const [a] = [tabs.open(), tabs.open()];
  a.receive(Array.from({ length: 50 }, (_, n) => item(`i${n}`)));
  const said = vi.spyOn(tabs, 'said');
  a.edit('i7', 'mine');
  const change = a.unsent()[0]?.change ?? '';
  a.settle([{ change, ok: true, rev: 2 }]);
  const heard = said.mock.calls.map(([{ entries, answered }]) => [
    entries.map(({ id }) => id),
    answered,
  ]);
  expect(heard).toEqual([
    [['i7'], []],
    [['i7'], [change]],
  ]);
});

test('a deleted note does not come back from another tab', () => {
  const tabs = createTabs();
  const [a, b] = [tabs.open(false), tabs.open(false)];
  a.receive([item('x')]);
  b.receive([item('x')]);
  a.remove(['x']);
  b.add(context(), 'another');
  expect(a.items()).toEqual([]);
  expect(tabs.open().items()).toHaveLength(1);
});

test('only closed notes can be reopened, and what the agent said of them goes', () => {
  const queue = createTabs().open();
  queue.receive([
    item('open', { status: 'in-progress' }),
    item('closed', { status: 'completed', message: 'done' }),
  ]);
  queue.change('open', { kind: 'status', status: 'pending' });
  queue.change('closed', { kind: 'status', status: 'pending' });
  const [closed] = queue.items().filter(({ id }) => id === 'closed');
  expect(closed).toMatchObject({ status: 'pending' });
  expect(closed).not.toHaveProperty('message');
  expect(queue.unsent()).toMatchObject([{ inspection: 'closed', status: 'pending' }]);
});

test('a refused change is dropped and said', () => {
  const queue = createTabs().open();
  const said: string[] = [];
  queue.refused.on((message) => said.push(message));
  queue.receive([item('x')]);
  queue.change('x', { kind: 'reply', text: 'Bigger' });
  const change = queue.unsent()[0]?.change ?? '';
  const error = { code: 'BAD_TRANSITION', message: 'It is in progress.', fix: 'Wait.' };
  queue.settle([{ change, ok: false, error }]);
  expect(said).toEqual(['It is in progress. Wait.']);
  expect(queue.items()).toHaveLength(1);
});

const FULL = { code: 'TOO_MANY', message: 'The queue is full.', fix: 'Delete some.' };
const refuseAll = (queue: Queue, error = FULL) =>
  queue.settle(queue.unsent().map(({ change }) => ({ change, ok: false, error })));

test('a new note that the companion refuses stays, with the reason, in every tab', () => {
  const tabs = createTabs();
  const [a, b] = [tabs.open(), tabs.open()];
  a.add(context(), 'precious');
  refuseAll(a);
  a.flush();
  const kept = { description: 'precious', refused: 'The queue is full. Delete some.' };
  for (const queue of [a, b, tabs.open()]) {
    expect(queue.items()).toMatchObject([kept]);
    expect(queue.unsent()).toEqual([]);
  }
});

test('editing a refused note sends it again, with what was written since', () => {
  const queue = createTabs().open();
  const { id } = queue.add(context(), 'first');
  queue.edit(id, 'second');
  refuseAll(queue);
  expect(queue.items()).toMatchObject([{ description: 'second', refused: expect.any(String) }]);
  queue.edit(id, 'third');
  const sent = queue.unsent();
  expect(sent.map(({ kind }) => kind)).toEqual(['create', 'edit', 'edit']);
  queue.settle(sent.map(({ change }, n) => ({ change, ok: true, rev: n + 1 })));
  const [item] = queue.items();
  expect(item).toMatchObject({ description: 'third', rev: 3 });
  expect(item?.refused).toBeUndefined();
});

test('a refused note can be deleted, and nothing more is said of it', () => {
  const queue = createTabs().open();
  const { id } = queue.add(context(), 'too much');
  refuseAll(queue);
  const said = vi.fn();
  queue.refused.on(said);
  vi.useFakeTimers();
  queue.remove([id]);
  vi.advanceTimersByTime(UNDO_MS);
  refuseAll(queue);
  expect([queue.items(), queue.unsent()]).toEqual([[], []]);
  expect(said).not.toHaveBeenCalled();
});

test('what is sent is within the limits of the companion, and says as much as fits', () => {
  const queue = createTabs().open();
  const long = context();
  const { elementInfo } = long.sourceInfo;
  elementInfo.html = '漢'.repeat(20_000);
  elementInfo.attributes = { title: '漢'.repeat(5000) };
  elementInfo.styles = { color: 'red' };
  queue.add({ ...long, url: `http://h/${'u'.repeat(9000)}`, title: 't'.repeat(9000) }, 'note');
  const [change] = queue.unsent();
  const item = change?.kind === 'create' ? change.item : null;
  expect([item?.url.length, item?.title.length]).toEqual([2000, 2000]);
  expect(new TextEncoder().encode(JSON.stringify(item)).length).toBeLessThan(limits.itemBytes);
  const sent = item?.sourceInfo.elementInfo;
  expect(sent).not.toHaveProperty('html');
  expect(sent).toMatchObject({ styles: { color: 'red' }, attributes: elementInfo.attributes });
  expect(elementInfo.html.length).toBe(20_000);
});

test('what the companion lost is sent again as a restored note', () => {
  const queue = createTabs().open();
  queue.receive([item('x', { timestamp: 7 })]);
  queue.joined('project', ['x', 'unheard-of']);
  expect(queue.unsent()).toMatchObject([{ kind: 'create', restore: true, item: { id: 'x' } }]);
});

test("another project's notes on the same port are neither shown nor sent nor restored", () => {
  const queue = createTabs().open();
  queue.receive([item('theirs')]);
  queue.joined('their-project', []);
  queue.edit('theirs', 'changed');
  queue.joined('my-project', ['theirs']);
  expect(queue.items()).toEqual([]);
  expect(queue.unsent()).toEqual([]);
});

test('a note made offline belongs to the project of its page, whoever connects first', () => {
  const tabs = createTabs();
  tabs.open(true, 'mine').add(context(), 'offline');
  const theirs = tabs.open(true, 'theirs');
  theirs.joined('theirs', []);
  expect([theirs.items(), theirs.unsent()]).toEqual([[], []]);
  const mine = tabs.open(true, 'mine');
  mine.joined('mine', []);
  expect(mine.unsent()).toHaveLength(1);
});

test('a note of no known project waits for that of the page', () => {
  const tabs = createTabs();
  tabs.open().add(context(), 'offline');
  const page = tabs.open(true, 'mine');
  page.joined('theirs', []);
  expect([page.items(), page.unsent()]).toEqual([[], []]);
  page.joined('mine', []);
  expect(page.unsent()).toHaveLength(1);
});

test('each visible change of a known note is told once, with what it was before', () => {
  const queue = createTabs().open();
  const told: string[] = [];
  queue.itemChanged.on((after, before) => told.push(`${before.status}>${after.status}`));
  queue.receive([item('x')]);
  queue.receive([item('x', { rev: 2, status: 'in-progress' })]);
  queue.receive([item('x', { rev: 2, status: 'in-progress' })]);
  queue.receive([item('x', { rev: 3, status: 'failed', message: 'no' })]);
  expect(told).toEqual(['pending>in-progress', 'in-progress>failed']);
});

test('the current note is forgotten when it closes', () => {
  const tabs = createTabs();
  const queue = tabs.open();
  const added = queue.add(context(), 'greener');
  queue.receive([{ ...added, rev: 2, status: 'completed', message: 'done' }]);
  expect(tabs.data.has(CURRENT)).toBe(false);
});

test('a deletion is hidden in every tab at once, and sent when nobody undoes it in time', () => {
  vi.useFakeTimers();
  const tabs = createTabs();
  const [a, b] = [tabs.open(), tabs.open()];
  for (const tab of [a, b]) tab.receive([item('x'), item('y')]);
  const waiting = vi.fn();
  b.waiting.on(waiting);
  a.remove(['x']);
  expect([a, b].map((tab) => tab.items().map(({ id }) => id))).toEqual([['y'], ['y']]);
  expect([a.unsent(), b.unsent()]).toEqual([[], []]);
  expect(b.removed()).toMatchObject([{ item: { id: 'x' }, inspection: 'x' }]);
  // Also after a reload.
  const c = tabs.open();
  expect([c.items().length, c.unsent().length]).toEqual([1, 0]);
  vi.advanceTimersByTime(UNDO_MS);
  expect(waiting).toHaveBeenCalled();
  expect(c.unsent()).toMatchObject([{ kind: 'status', inspection: 'x', status: 'deleted' }]);
  expect(b.removed()).toEqual([]);
});

test('what is undone in one tab is there again in all, also for those that come later', () => {
  vi.useFakeTimers();
  const tabs = createTabs();
  const [a, b] = [tabs.open(), tabs.open()];
  for (const tab of [a, b]) tab.receive([item('x'), item('y', { timestamp: 2 })]);
  a.remove(['x', 'y']);
  const removed = b.removed();
  expect(new Set(removed.map(({ at }) => at)).size).toBe(1);
  b.withdraw(removed.map(({ change }) => change));
  vi.advanceTimersByTime(UNDO_MS);
  for (const tab of [a, b, tabs.open()]) {
    expect(tab.unsent()).toEqual([]);
    expect(tab.removed()).toEqual([]);
  }
  for (const tab of [a, b]) expect(tab.items().map(({ id }) => id)).toEqual(['x', 'y']);
});

test('a note that was never sent waits with its deletion, and an undo sends it', () => {
  vi.useFakeTimers();
  const queue = createTabs().open();
  const { id } = queue.add(context(), 'greener');
  queue.remove([id]);
  expect(queue.unsent()).toEqual([]);
  queue.withdraw(queue.removed().map(({ change }) => change));
  expect(queue.unsent()).toMatchObject([{ kind: 'create' }]);
  queue.remove([id]);
  vi.advanceTimersByTime(UNDO_MS);
  expect(queue.unsent()).toMatchObject([{ kind: 'create' }, { kind: 'status' }]);
});

test('replies, acceptance and order count at once, in their tab and in the others', () => {
  const tabs = createTabs();
  const [a, b] = [tabs.open(), tabs.open()];
  for (const tab of [a, b]) tab.receive([item('x', { status: 'completed' }), item('y')]);
  a.change('x', { kind: 'reply', text: 'Bigger' });
  a.change('x', { kind: 'accept', accepted: 5 });
  a.change('x', { kind: 'order', order: 7.5 });
  for (const tab of [a, b]) {
    const [first, second] = tab.items();
    expect(first?.id).toBe('y');
    expect(second).toMatchObject({ accepted: 5, order: 7.5 });
    expect(second?.replies).toMatchObject([{ from: 'user', text: 'Bigger' }]);
  }
  expect(b.unsent().map(({ kind }) => kind)).toEqual(['reply', 'accept', 'order']);
});

test('reopening puts the note into the thread and takes acceptance, message and progress away', () => {
  const queue = createTabs().open();
  const done = {
    status: 'completed' as const,
    message: 'Done',
    accepted: 5,
    progress: { steps: [] },
  };
  queue.receive([
    item('x', { ...done, replies: [{ id: 'r2', from: 'agent', text: 'Done', at: 2 }] }),
  ]);
  queue.change('x', { kind: 'status', status: 'pending', message: 'Greener' });
  const [seen] = queue.items();
  expect(seen?.replies?.map(({ text }) => text)).toEqual(['Done', 'Greener']);
  for (const gone of ['accepted', 'message', 'progress']) expect(seen).not.toHaveProperty(gone);
});

test('a reply that comes back with the companion’s copy stands there once, and at most fifty do', () => {
  const queue = createTabs().open();
  const many = Array.from({ length: limits.replies }, (_, n) => ({
    id: `r${n}`,
    from: 'agent' as const,
    text: `${n}`,
    at: n,
  }));
  queue.receive([item('x', { replies: many })]);
  queue.change('x', { kind: 'reply', text: 'Bigger' });
  const mine = queue.items()[0]?.replies?.at(-1);
  expect(queue.items()[0]?.replies).toHaveLength(limits.replies);
  queue.receive([item('x', { rev: 2, replies: mine && [...many.slice(1), mine] })]);
  expect(queue.items()[0]?.replies?.filter(({ text }) => text === 'Bigger')).toHaveLength(1);
});

test('the order of the queue is total: by place, then by age, then by id', () => {
  const queue = createTabs().open();
  queue.receive([
    item('d', { timestamp: 9 }),
    item('c', { timestamp: 3, order: 9 }),
    item('b', { timestamp: 5 }),
    item('a', { timestamp: 5 }),
  ]);
  expect(queue.items().map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

test('however many changes wait for the lock, they are written once', () => {
  const request = vi.fn<(name: string, write: () => void) => Promise<void>>(async () => {});
  const write = vi.fn<(entries: object[]) => void>();
  const storage = { read: () => [], write, problem: null };
  const entries = createEntries({
    storage,
    bus: null,
    locks: { request } as unknown as LockManager,
  });
  for (const id of ['a', 'b', 'c']) {
    entries.put(item(id));
    entries.save();
  }
  expect(request).toHaveBeenCalledTimes(1);
  request.mock.calls[0]?.[1]();
  expect(write.mock.calls).toEqual([
    [['a', 'b', 'c'].map((id) => expect.objectContaining({ id }))],
  ]);
  entries.save();
  expect(request).toHaveBeenCalledTimes(2);
});
