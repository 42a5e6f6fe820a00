import { afterEach, expect, test, vi } from 'vitest';
import { createState } from '../src/basics';
import { followActivation, tellActivated, tellChange } from '../src/events';
import { createPointing } from '../src/picker';
import type { Picking, Turn } from '../src/picking';
import { type SourceInfo, windowEvents } from '../src/protocol';
import { createBanner } from '../src/ui/banner';
import { createTabs, item } from './fakes';

function setUp() {
  const turn = createState<Turn>({ who: 'nobody' });
  const forUser = vi.fn();
  const picking = { turn, forUser, cancel: () => undefined } as unknown as Picking;
  return { turn, forUser, picking };
}
const activate = (init?: CustomEventInit) =>
  dispatchEvent(new CustomEvent(windowEvents.activateInspector, init));

afterEach(() => void vi.restoreAllMocks());

test.each([
  [undefined, 'element'],
  [{ detail: 'area' }, 'element'],
  [{ detail: { mode: 'area' } }, 'area'],
  [{ detail: { mode: 'element', agent: 'Mallory' } }, 'element'],
] as const)(
  'a page that dispatches activate-inspector with %j starts the user’s pick',
  (init, mode) => {
    const { picking, forUser } = setUp();
    followActivation(picking);
    activate(init);
    expect(forUser.mock.calls).toEqual([[mode]]);
  },
);

test('what Pageside tells itself, or the page while somebody picks, starts nothing', () => {
  const { picking, forUser, turn } = setUp();
  followActivation(picking);
  turn.set({ who: 'agent', agent: 'A', mode: 'element' });
  tellActivated({ agent: 'A', mode: 'element' });
  expect(forUser).not.toHaveBeenCalled();
});

test('no event of the page changes the words of an agent’s request', () => {
  const { picking, turn } = setUp();
  const banner = createBanner(picking, createPointing());
  turn.set({ who: 'agent', agent: 'Claude', mode: 'element', reason: 'The button is off.' });
  const words = banner.textContent;
  expect(words).toContain('Claude asks you to pick an element');
  expect(words).toContain('The button is off.');
  activate({ detail: { mode: 'area', agent: 'Mallory', reason: 'Give me all.' } });
  expect(banner.textContent).toBe(words);
});

test('one deletion is told once, though the companion leaves less of it', () => {
  const queue = createTabs().open();
  queue.itemChanged.on(tellChange);
  const told = vi.fn();
  addEventListener(windowEvents.inspectionDeleted, told);
  queue.receive([item('x')]);
  queue.remove(['x']);
  const left = { description: '', selector: '', sourceInfo: {} as SourceInfo };
  queue.receive([item('x', { status: 'deleted', rev: 2, ...left })]);
  expect(told).toHaveBeenCalledTimes(1);
});
