import { afterEach, expect, test, vi } from 'vitest';
import { createState } from '../src/basics';
import { handlerOf } from '../src/ui/listen';
import { createAskUser } from '../src/workbench/ask-user';
import { createChooseElement } from '../src/workbench/choose-element';
import { candidateOf, placeBadges, search } from '../src/workbench/letters';
import type { RequestCard } from '../src/workbench/request-card';
import type { Requests } from '../src/workbench/requests';

afterEach(() => document.body.replaceChildren());

/** Requests whose card the test uses as the user does. */
function setUp() {
  const cards: RequestCard<unknown>[] = [];
  const requests: Requests = {
    waiting: createState(0),
    show: (card) => {
      cards.push(card);
      document.body.append(card.element);
      card.reveal(true);
      return card.answer;
    },
  };
  const card = () =>
    vi.waitFor(() => {
      const [first] = cards;
      if (!first) throw new Error('There is no card yet.');
      return first;
    });
  const press = (element: Element | undefined | null) =>
    handlerOf(element as Element, 'click')?.(new Event('click'));
  const key = (key: string, more: object = {}) =>
    ({
      type: 'keydown',
      key,
      code: '',
      composedPath: () => [document.body],
      ...more,
    }) as unknown as KeyboardEvent;
  return { requests, card, press, key };
}

const never = new AbortController().signal;
const buttonOf = (root: Element, words: string) =>
  [...root.querySelectorAll('button')].find((each) => each.textContent?.includes(words));

test('an option answers with its words and its place', async () => {
  const { requests, card, press } = setUp();
  const answer = createAskUser(requests)({ question: 'Which?', options: ['red', 'blue'] }, never);
  press(buttonOf((await card()).element, 'blue'));
  expect(await answer).toEqual({ answer: 'blue', index: 1 });
});

test('digits in the card choose, in the page they are its own', async () => {
  const { requests, card, key } = setUp();
  const answer = createAskUser(requests)({ question: 'Which?', options: ['red', 'blue'] }, never);
  const { element, keys } = await card();
  expect(keys(key('2'))).toBe(false);
  const event = { ...key('2'), preventDefault: vi.fn(), composedPath: () => [element] };
  handlerOf(element, 'keydown')?.(event as unknown as Event);
  expect(await answer).toEqual({ answer: 'blue', index: 1 });
});

test('words of his own are sent, and empty ones are not', async () => {
  const { requests, card, press } = setUp();
  const answer = createAskUser(requests)({ question: 'Which?', options: ['red'] }, never);
  const { element } = await card();
  press(buttonOf(element, 'Send'));
  const field = element.querySelector('textarea') as HTMLTextAreaElement;
  field.value = ' none of yours ';
  press(buttonOf(element, 'Send'));
  expect(await answer).toEqual({ answer: 'none of yours' });
});

test('who declines cancels', async () => {
  const { requests, card, press } = setUp();
  const answer = createAskUser(requests)({ question: 'Which?' }, never);
  press(buttonOf((await card()).element, 'Not now'));
  await expect(answer).rejects.toMatchObject({ code: 'CANCELLED_BY_USER' });
});

test('what was typed for a ticket is there again after a reload, and for no other ticket', async () => {
  const ask = async (ticket: string) => {
    const { requests, card } = setUp();
    void createAskUser(requests)({ question: 'Which?', ticket }, never);
    return (await card()).element.querySelector('textarea') as HTMLTextAreaElement;
  };
  const field = await ask('t1');
  field.value = 'half a sen';
  handlerOf(field, 'input')?.(new Event('input'));
  expect((await ask('t1')).value).toBe('half a sen');
  expect((await ask('t2')).value).toBe('');
});

const parts = {
  picking: {},
  details: { explain: async () => ({}) },
  add: (...elements: HTMLElement[]) => document.body.append(...elements),
} as unknown as Parameters<typeof createChooseElement>[1];

test('a letter chooses, wherever it is pressed; what is not there is told', async () => {
  document.body.append(document.createElement('nav'), document.createElement('nav'));
  const { requests, card, key } = setUp();
  const choose = createChooseElement(requests, parts);
  const answer = choose({ question: 'Which?', candidates: ['main', 'nav'] }, never);
  const { keys, element } = await card();
  expect(buttonOf(element, 'Not on the page: main')?.disabled).toBe(true);
  expect(keys(key('a'))).toBe(true);
  expect(keys(key('b', { ctrlKey: true }))).toBe(false);
  expect(keys(key('и', { code: 'KeyB' }))).toBe(true);
  expect(await answer).toMatchObject({
    status: 'chosen',
    letter: 'B',
    index: 1,
    selector: 'nav',
    matches: 2,
    missing: [{ letter: 'A', selector: 'main' }],
  });
});

test('none of these is an answer, with or without words', async () => {
  document.body.append(document.createElement('nav'));
  const { requests, card, press } = setUp();
  const answer = createChooseElement(requests, parts)({ candidates: ['nav'] }, never);
  press(buttonOf((await card()).element, 'None of these'));
  expect(await answer).toEqual({ status: 'none', answer: '' });
});

test('a selector that is none is told at once', async () => {
  const choose = createChooseElement(setUp().requests, parts);
  await expect(choose({ candidates: ['nav', '!'] }, never)).rejects.toMatchObject({
    code: 'INVALID_SELECTOR',
  });
});

test('a candidate that is replaced is found again', () => {
  const candidate = candidateOf('nav', 3);
  search(candidate);
  expect([candidate.letter, candidate.element]).toEqual(['D', null]);
  const first = document.body.appendChild(document.createElement('nav'));
  search(candidate);
  expect(candidate.element).toBe(first);
  first.replaceWith(document.createElement('nav'));
  search(candidate);
  expect(candidate.element?.isConnected).toBe(true);
});

test('badges stay in view and beside each other', () => {
  const view = { width: 800, height: 600 };
  const box = (x: number, y: number, width = 100, height = 100) => ({ x, y, width, height });
  expect(placeBadges([box(50, 50), box(50, 50), null, box(-20, 590)], view)).toEqual([
    { x: 38, y: 38 },
    { x: 62, y: 38 },
    null,
    { x: 0, y: 576 },
  ]);
  expect(placeBadges([box(900, 0), box(0, -200)], view)).toEqual([null, null]);
});
