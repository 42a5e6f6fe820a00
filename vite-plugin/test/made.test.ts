import { expect, test } from 'vitest';
import { checkMade, isMade } from '../src/frameworks/made.ts';

const at = (line: string) => ({ line: 1, column: line.indexOf('create') + 1 });

test.each([
  ["document.createElement('li')", 'createElement', 'li', true],
  ['document.createElement("LI")', 'createElement', 'li', true],
  ["document.createElement('li')", 'createElement', 'ul', false],
  ['document.createElement(tag)', 'createElement', 'li', false],
  ["document.createElement(tag + 'li')", 'createElement', 'li', false],
  ["document.createElementNS(SVG, 'path')", 'createElementNS', 'path', true],
  ["document.createElementNS(SVG, 'svg:path')", 'createElementNS', 'path', true],
  ["document.createElementNS('http://x', name)", 'createElementNS', 'http', false],
])('%s by %s is an exact <%s>: %s', (line, via, tag, exact) => {
  expect(checkMade([line], at(line), via, tag)).toMatchObject({ exact });
});

test('a call may go over lines', () => {
  const lines = ['a = document.createElementNS(', '  SVG,', "  'path',", ');'];
  expect(checkMade(lines, { line: 1, column: 14 }, 'createElementNS', 'path').exact).toBe(true);
});

test('other ways say how it was made', () => {
  expect(isMade('innerHTML') && !isMade('attribute')).toBe(true);
  expect(checkMade(['a.innerHTML = b'], { line: 1, column: 3 }, 'innerHTML', 'p')).toEqual({
    column: 3,
    exact: false,
    reason: 'innerHTML made it here; the tag itself is not written here.',
  });
});
