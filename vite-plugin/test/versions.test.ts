import { expect, test } from 'vitest';
import { createVersions, lineNow, versionOf } from '../src/source/versions.ts';

const OLD = ['<script>', '</script>', '<ul>', '  <li>', '  <li>', '</ul>', '<p>', '<b>'];

test.each([
  ['nothing changed', OLD, 5, 5],
  ['lines came above', ['<!-- -->', '', ...OLD], 4, 6],
  ['lines went above', OLD.slice(2), 5, 3],
  ['lines came below', [...OLD, '<style>'], 8, 8],
  ['lines came above and below', ['<!-- -->', ...OLD, '<style>'], 7, 8],
  ['above and below, and it has a twin', ['<!-- -->', ...OLD, '<style>'], 4, 5],
  ['its own line is another', OLD.with(3, '  <li class="new">'), 4, null],
  [
    'it has a twin, and what tells them apart is another',
    ['', ...OLD.with(2, '<ol>'), ''],
    4,
    null,
  ],
])('%s', (_, now, line, expected) => {
  expect(lineNow(OLD, now, line)).toBe(expected);
});

test('a version has 13 digits, the same for the same text', () => {
  expect(versionOf('<p>')).toMatch(/^\d{13}$/);
  expect(versionOf('<p>')).toBe(versionOf('<p>'));
  expect(versionOf('<p>')).not.toBe(versionOf('<b>'));
});

test('of each file the latest ten texts are kept', () => {
  const versions = createVersions();
  const first = versions.keep('/a.vue', 'first');
  const other = versions.keep('/b.vue', 'other');
  for (let n = 0; n < 9; n += 1) versions.keep('/a.vue', String(n));
  expect(versions.textOf(first)).toBe('first');
  versions.keep('/a.vue', 'first');
  versions.keep('/a.vue', 'eleventh');
  expect(versions.textOf(first)).toBe('first');
  expect(versions.textOf(versionOf('0'))).toBeUndefined();
  expect(versions.textOf(other)).toBe('other');
});
