import { expect, test } from 'vitest';
import { argsText, parseArgs } from '../src/tools/json-text';

test('arguments come back from their text', () => {
  const args = { a: [1, { b: null }], c: 'ü\n' };
  expect(parseArgs(argsText(args))).toEqual({ args });
  expect(parseArgs('  ')).toEqual({ args: {} });
});

test.each([
  ['{\n  "a": 1,,\n}', 'line 2, column 10'],
  ['{"a": }', 'line 1, column 7'],
  ['{"a": 1', 'line 1, column 8'],
  ['{"a": "\\x"}', 'line 1, column '],
])('what is wrong in %j is said with its place', (text, place) => {
  const parsed = parseArgs(text);
  expect('problem' in parsed && parsed.problem).toContain(place);
});

test('JSON that is no object are no arguments', () => {
  expect(parseArgs('[1]')).toMatchObject({ problem: expect.stringContaining('object') });
});
