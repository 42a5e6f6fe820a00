import { expect, test } from 'vitest';
import { toJson, toResult, typeOf } from '../src/tools/serialise';

test('what JSON has no word for is told in text', () => {
  const value = {
    big: 10n,
    fn: function named() {},
    symbol: Symbol('s'),
    nothing: undefined,
    nan: Number.NaN,
    pattern: /a+/g,
    date: new Date(0),
    promise: Promise.resolve(),
    bytes: new Uint8Array([1, 2]),
    map: new Map([['k', new Set([1])]]),
  };
  expect(toJson(value)).toEqual({
    big: '10n',
    fn: '[Function named]',
    symbol: 'Symbol(s)',
    nothing: null,
    nan: 'NaN',
    pattern: '/a+/g',
    date: '1970-01-01T00:00:00.000Z',
    promise: '[promise]',
    bytes: [1, 2],
    map: { '[map]': [['k', { '[set]': [1] }]] },
  });
});

test('cycles end, and the same object twice is no cycle', () => {
  const shared = { a: 1 };
  const value: Record<string, unknown> = { left: shared, right: shared };
  value.self = value;
  expect(toJson(value)).toEqual({ left: { a: 1 }, right: { a: 1 }, self: '[Circular]' });
});

test('what a browser made says what it can in a word', () => {
  const button = document.createElement('button');
  button.style.color = 'red';
  expect(toJson(button.style)).toEqual({ color: 'red' });
  expect(toJson(new URLSearchParams('a=1&a=2'))).toEqual([
    ['a', '1'],
    ['a', '2'],
  ]);
  class Cart {
    get total(): number {
      return 1;
    }
  }
  expect(toJson(new Cart())).toEqual({});
});

test('elements are named, not walked', () => {
  const button = document.createElement('button');
  button.id = 'go';
  button.className = 'big red';
  expect(toJson([button, document])).toEqual(['<button#go.big.red>', '[#document]']);
});

test('an error keeps its message and stack', () => {
  expect(toJson(new TypeError('bad'))).toMatchObject({
    name: 'TypeError',
    message: 'bad',
    stack: expect.stringContaining('bad'),
  });
});

test('a getter that throws spoils only itself', () => {
  const value = {
    ok: 1,
    get bad(): number {
      throw new Error('no');
    },
  };
  expect(toJson(value)).toEqual({ ok: 1, bad: '[Thrown: no]' });
});

test('deep nesting is cut instead of overflowing the stack', () => {
  let deep: unknown = 'end';
  for (let n = 0; n < 5000; n += 1) deep = [deep];
  expect(JSON.stringify(toJson(deep))).toContain('[Object]');
});

test('a result over the limit is refused with its size', () => {
  expect(() => toResult('x'.repeat(300_000))).toThrow(/300002 bytes/);
});

test.each([
  [null, 'null'],
  [undefined, 'undefined'],
  [[], 'array'],
  [{}, 'object'],
  ['', 'string'],
])('the type of %s is %s', (value, type) => {
  expect(typeOf(value)).toBe(type);
});
