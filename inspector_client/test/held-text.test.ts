import { afterEach, expect, test, vi } from 'vitest';
import { type Entry, told } from '../src/source/held/held';
import { createTelling } from '../src/source/held/text';

afterEach(() => document.body.replaceChildren());

const tell = (value: unknown, name = 'value') => createTelling(document)(value, name);

class Cart {
  items = [1];
  get total(): number {
    throw new Error('nobody may call this');
  }
}

test.each([
  ['a\n"b"', '"a\\n\\"b\\""'],
  [1.5, '1.5'],
  [true, 'true'],
  [null, 'null'],
  [undefined, 'undefined'],
  [10n, '10n'],
  [Symbol('s'), 'Symbol(s)'],
  [function named() {}, 'ƒ named'],
  [() => 1, 'ƒ'],
  [[1, 'a', [2]], '[1, "a", [2]]'],
  [{ a: 1, b: { c: null } }, '{"a": 1, "b": {"c": null}}'],
  [new Cart(), 'Cart {"items": [1]}'],
  [new Map([['k', { a: 1 }]]), 'Map(1) {"k" => {"a": 1}}'],
  [new Set([1, 2]), 'Set(2) {1, 2}'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
  [new Date(Number.NaN), 'Invalid Date'],
  [/a+/g, '/a+/g'],
  [new TypeError('bad'), 'TypeError: bad'],
  [Promise.resolve(1), 'Promise'],
  [new WeakMap(), 'WeakMap'],
  [Object.create(null), '{}'],
  [{ a: { b: { c: { d: 1 } } } }, '{"a": {"b": {"c": {…}}}}'],
  [[[[[1, 2]]]], '[[[[… 2]]]]'],
  [Array.from({ length: 1000 }, (_, n) => n), '[0, 1, 2, 3, 4, 5, 6, 7, … 992 more]'],
])('%s in a few words', (value, text) => {
  expect(tell(value)).toBe(text);
});

test('cycles end, and elements, nodes and what is not rendered yet are named', () => {
  const self: Record<string, unknown> = {};
  self.again = self;
  expect(tell(self)).toBe('{"again": [Circular]}');
  const button = document.createElement('button');
  button.id = 'go';
  button.className = 'big red';
  expect(tell([button, document.createTextNode('x')])).toBe('[<button#go.big.red>, Text]');
  const Row = function Row() {};
  expect(tell({ $$typeof: Symbol.for('react.element'), type: Row, props: {} })).toBe('<Row>');
});

test('nothing is called: no getter, no toJSON, no toString', () => {
  const calls: string[] = [];
  const value = {
    get changing() {
      return calls.push('getter');
    },
    toJSON: () => calls.push('toJSON'),
    toString: () => calls.push('toString'),
  };
  expect(tell(value)).toBe('{"changing": (getter), "toJSON": ƒ toJSON, "toString": ƒ toString}');
  expect(calls).toEqual([]);
});

test('what defends itself is said to be unreadable', () => {
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  expect(tell(hostile)).toBe('(cannot be read)');
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(tell({ proxy })).toBe('(cannot be read)');
});

test('a text of megabytes is cut', () => {
  expect(tell('x'.repeat(5_000_000))).toHaveLength(200);
  expect(tell({ a: 'x'.repeat(5_000_000) })).toHaveLength(200);
});

test.each([
  ['password', 'hunter22'],
  ['apiKey', { a: 1 }],
  ['sessionToken', 42],
])('%s is a secret by its name, at any depth', (name, secret) => {
  expect(tell(secret, name)).toBe('[redacted]');
  expect(tell({ user: { [name]: secret } })).toBe(`{"user": {"${name}": [redacted]}}`);
  expect(tell(new Map([[name, secret]]))).toBe(`Map(1) {"${name}" => [redacted]}`);
});

test('whether there is a secret is none', () => {
  expect([null, undefined, false, ''].map((value) => tell(value, 'token'))).toEqual([
    'null',
    'undefined',
    'false',
    '""',
  ]);
});

test('a secret is one by how it looks, too', () => {
  expect(tell('eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl')).toBe('"[redacted]"');
  expect(tell('Bearer abcdefghijklmnop')).toBe('"[redacted]"');
  expect(tell('https://u:p@h/a?access_token=abc&b=1')).toBe(
    '"https://h/a?access_token=[redacted]&b=1"',
  );
});

test.each([
  `ghp_${'0123456789'.repeat(3)}`,
  `AKIA${'ABCDEFGH'.repeat(2)}`,
  `sk_live_${'0123456789'.repeat(2)}`,
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE',
  '4111 1111 1111 1111',
])('%s is one without a name', (secret) => {
  expect(tell([secret])).toBe('["[redacted]"]');
  expect(tell({ [secret]: 1 })).toBe('{"[redacted]": 1}');
});

test('names of secrets that stand beside their values count, those of people do not', () => {
  expect(tell([['authToken', 'abc']])).toBe('[["authToken", [redacted]]]');
  expect(tell('abc', 'sessionId')).toBe('[redacted]');
  const answer = JSON.stringify({ user: 'ada', accessToken: 'a "quoted" one' });
  expect(tell(answer)).toBe(JSON.stringify('{"user":"ada","accessToken":"[redacted]"}'));
  expect(tell({ author: 'Ada', authorization: 'abc', pinned: 'yes' })).toBe(
    '{"author": "Ada", "authorization": [redacted], "pinned": "yes"}',
  );
});

test('cookies are secrets wherever they are kept', () => {
  const cookies = vi.spyOn(document, 'cookie', 'get');
  cookies.mockReturnValue('theme=dark; visit=8f14e45fce');
  expect(tell('dark')).toBe('"dark"');
  expect(tell(document.cookie)).toBe('"[redacted]; visit=[redacted]"');
  expect(tell('got 8f14e45fce')).toBe('"got [redacted]"');
  cookies.mockRestore();
});

test('what the user types into a secret field is secret wherever it is kept', () => {
  document.body.innerHTML = '<input type="password" value="open sesame">';
  expect(tell({ draft: 'open sesame' })).toBe('{"draft": "[redacted]"}');
  const host = document.createElement('sign-in');
  host.attachShadow({ mode: 'open' }).innerHTML = '<input name="otp" value="271828">';
  document.body.append(host);
  expect(tell('271828')).toBe('"[redacted]"');
});

const entries = (count: number, value: unknown): Entry[] =>
  Array.from({ length: count }, (_, index) => ({ name: `n${index}`, value }));

test('no more than one cares to read: 30 entries, 2 KB', () => {
  const many = told(entries(40, 1), createTelling(document));
  expect(many).toHaveLength(31);
  expect(many.at(-1)).toEqual({ name: '…', value: '10 more' });
  const large = told(entries(20, 'x'.repeat(500)), createTelling(document));
  expect(JSON.stringify(large).length).toBeLessThan(2_200);
  expect(large.at(-1)?.value).toMatch(/^\d+ more$/);
});
