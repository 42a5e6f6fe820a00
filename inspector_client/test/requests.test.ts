import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createState } from '../src/basics';
import type { KeyWatcher } from '../src/gate';
import type { Picking, Turn } from '../src/picking';
import { createSettings } from '../src/settings';
import type { Host } from '../src/ui/host';
import { handlerOf } from '../src/ui/listen';
import { createRequestCard } from '../src/workbench/request-card';
import { createRequests } from '../src/workbench/requests';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

function setUp() {
  const element = document.body.appendChild(document.createElement('div'));
  const root = element.attachShadow({ mode: 'open' });
  const toolbar = document.createElement('div');
  toolbar.className = 'bar';
  root.append(toolbar);
  const raise = vi.fn();
  const turn = createState<Turn>({ who: 'nobody' });
  const pageKeys = createState<KeyWatcher>(() => false);
  const requests = createRequests({
    host: { element, root, raise } as unknown as Host,
    picking: { turn } as Picking,
    pageKeys,
    settings: createSettings(null, () => localStorage),
    add: (...elements) => root.prepend(...elements),
  });
  const visible = () =>
    [...root.querySelectorAll<HTMLElement>('.request')].filter((c) => !c.hidden);
  return { root, requests, raise, turn, pageKeys, visible };
}

const never = new AbortController().signal;

/** A card that the test answers. */
function cardOf(
  title: string,
  more: { shown?(isVisible: boolean): void; keys?: KeyWatcher; isEverywhere?: boolean } = {},
) {
  let press: (value: string) => void = () => undefined;
  const card = createRequestCard<string>({
    agent: 'Ada',
    reason: 'two fit',
    title,
    content(answer) {
      press = answer;
      return { body: [], actions: [] };
    },
    ...more,
  });
  return { card, press };
}

test('one card at a time, in the order in which they came', async () => {
  const { requests, visible } = setUp();
  const [first, second, third] = ['first', 'second', 'third'].map((title) => cardOf(title));
  const answers = [first, second, third].map((each) =>
    requests.show((each as ReturnType<typeof cardOf>).card, never),
  );
  expect(visible()).toHaveLength(1);
  expect(visible()[0]?.textContent).toMatch(/Ada asks.*2 more waiting.*first.*two fit/);
  expect(requests.waiting.value).toBe(3);
  first?.press('yes');
  expect(await answers[0]).toBe('yes');
  expect(visible()[0]?.textContent).toMatch(/1 more waiting.*second/);
  second?.press('no');
  third?.press('perhaps');
  expect(await Promise.all(answers)).toEqual(['yes', 'no', 'perhaps']);
  expect(visible()).toHaveLength(0);
  expect(requests.waiting.value).toBe(0);
});

test('what is withdrawn goes, also out of the line', async () => {
  const { requests, visible } = setUp();
  const [one, two] = [new AbortController(), new AbortController()];
  const first = requests.show(cardOf('first').card, one.signal);
  const second = requests.show(cardOf('second').card, two.signal);
  two.abort(new Error('given up'));
  await expect(second).rejects.toThrow('given up');
  expect(visible()[0]?.textContent).not.toContain('more waiting');
  one.abort(new Error('given up too'));
  await expect(first).rejects.toThrow('given up too');
  expect(visible()).toHaveLength(0);
});

test('a card waits while the user points, and is told when it is in sight', () => {
  const { requests, turn, visible } = setUp();
  const shown = vi.fn();
  turn.set({ who: 'user', mode: 'element', writing: false });
  void requests.show(cardOf('later', { shown }).card, never);
  expect(visible()).toHaveLength(0);
  turn.set({ who: 'nobody' });
  expect(visible()).toHaveLength(1);
  turn.set({ who: 'user', mode: 'element', writing: true });
  expect(shown.mock.calls).toEqual([[true], [false]]);
});

test('a press in the moment a card comes meets nothing', () => {
  const { requests, visible } = setUp();
  void requests.show(cardOf('now').card, never);
  expect(visible()[0]?.inert).toBe(true);
  vi.advanceTimersByTime(300);
  expect(visible()[0]?.inert).toBe(false);
});

test('it is said to those who cannot see it, and the toolbar counts', () => {
  const { root, requests } = setUp();
  const button = root.querySelector<HTMLElement>('.bar button');
  expect(button?.hidden).toBe(true);
  void requests.show(cardOf('Which one?').card, never);
  expect(root.querySelector('[role=status]')?.textContent).toBe(
    'Ada asks: Which one? Why: two fit Press Alt+A to answer.',
  );
  expect(button?.hidden).toBe(false);
  expect(button?.ariaLabel).toContain('1');
});

test('keys of the page reach the card in sight alone, and never while somebody types', () => {
  const { requests, pageKeys } = setUp();
  const keys = vi.fn(() => true);
  const key = (code: string, from: Element, more = {}) =>
    ({ type: 'keydown', code, composedPath: () => [from], ...more }) as unknown as KeyboardEvent;
  expect(pageKeys.value(key('KeyB', document.body))).toBe(false);
  void requests.show(cardOf('first', { keys, isEverywhere: true }).card, never);
  expect(pageKeys.value(key('KeyB', document.createElement('input')))).toBe(false);
  expect(keys).not.toHaveBeenCalled();
  expect(pageKeys.value(key('KeyB', document.body))).toBe(true);
  expect(pageKeys.value(key('KeyA', document.body, { altKey: true }))).toBe(true);
  expect(keys).toHaveBeenCalledTimes(1);
});

test('a card that is in the way is folded to its question, and unfolds with the focus', () => {
  const { requests, visible } = setUp();
  const { card } = cardOf('Which one?');
  void requests.show(card, never);
  const fold = visible()[0]?.querySelector('[aria-label=Fold]') as HTMLElement;
  handlerOf(fold, 'click')?.(new Event('click'));
  expect([fold.ariaExpanded, card.element.className]).toEqual(['false', 'request folded']);
  card.focus();
  expect([fold.ariaExpanded, card.element.className]).toEqual(['true', 'request']);
});
