import { expect, test } from 'vitest';
import { isFinished, isHere, numbersOf, placesAfterMove } from '../src/workbench/standing';
import { item } from './fakes';

const NOW = 1_700_000_000_000;
const DAY_MS = 24 * 3600 * 1000;

test('a number stays whatever becomes of the others; what has none yet comes after, by age', () => {
  const items = [
    item('c', { timestamp: 30, order: 1 }),
    item('b', { timestamp: 20 }),
    item('a', { timestamp: 20 }),
    item('old', { timestamp: 1, number: 7 }),
    item('done', { timestamp: 2, number: 2, status: 'completed', accepted: 5 }),
  ];
  const numbers = { a: 8, b: 9, c: 10, old: 7, done: 2 };
  expect(Object.fromEntries(numbersOf(items))).toEqual(numbers);
  expect(Object.fromEntries(numbersOf(items.reverse()))).toEqual(numbers);
  expect(numbersOf(items.filter(({ id }) => id !== 'done')).get('old')).toBe(7);
});

test('what is completed waits for the user a day, what failed for ever', () => {
  const done = item('x', { status: 'completed', updated: NOW });
  expect(isFinished(done, NOW + DAY_MS - 1)).toBe(false);
  expect(isFinished(done, NOW + DAY_MS + 1)).toBe(true);
  expect(isFinished({ ...done, accepted: 1 }, NOW)).toBe(true);
  expect(isFinished({ ...done, status: 'failed' }, NOW + 9 * DAY_MS)).toBe(false);
});

/** What the list looks like after the move. */
function moved(list: ReturnType<typeof item>[], id: string, to: number): string[] {
  const places = new Map(placesAfterMove(list, id, to));
  return list
    .map((one) => ({ id: one.id, at: places.get(one.id) ?? one.order ?? one.timestamp }))
    .sort((a, b) => a.at - b.at)
    .map((one) => one.id);
}

test.each([
  ['a', 2, 'bcad'],
  ['d', 0, 'dabc'],
  ['b', 3, 'acdb'],
  ['c', 2, 'abcd'],
])('%s moved to place %i: %s', (id, to, after) => {
  const list = [...'abcd'].map((name, n) => item(name, { timestamp: 10 + n }));
  expect(moved(list, id, to).join('')).toBe(after);
  expect(placesAfterMove(list, id, to)).toHaveLength(1);
});

test('where no number lies between two, those before make room', () => {
  const list = [...'abcd'].map((name) => item(name, { timestamp: 10 }));
  expect(moved(list, 'd', 2).join('')).toBe('abdc');
  const tight = [item('a', { order: 1 }), item('b', { order: 1 + Number.EPSILON })];
  expect(moved([...tight, item('c', { order: 9 })], 'c', 1).join('')).toBe('acb');
});

test('a page is known by its path, and by its fragment where that is the route', () => {
  const here = { href: 'http://localhost:5173/shop?x=1#top' };
  expect(isHere('http://127.0.0.1:5199/shop', here)).toBe(true);
  expect(isHere('http://localhost:5173/shop/7', here)).toBe(false);
  expect(isHere('http://localhost/shop#/cart', here)).toBe(false);
  expect(isHere('http://localhost/#/cart', { href: 'http://localhost/?a#/cart' })).toBe(true);
  expect(isHere('', here)).toBe(false);
});
