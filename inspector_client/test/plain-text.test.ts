import { expect, test } from 'vitest';
import { plainText } from '../src/toolkit/plain-text';

const read = (html: string): string[] => {
  document.body.innerHTML = html;
  return plainText(document.body, {
    children: (element, visit) => element.childNodes.forEach(visit),
    isBlock: ({ localName }) => /^(body|div|p|h\d|ul|li|table|tr)$/.test(localName),
    isSkipped: ({ localName }) => localName === 'script',
  });
};

test('blocks are lines, and what is inline stays in its line', () => {
  expect(read('<div>One <b>two</b>\n three</div>four<p>five<br>six</p>')).toEqual([
    'One two three',
    'four',
    'five',
    'six',
  ]);
});

test('headings and list items are marked, and only their first line', () => {
  expect(read('<h2>Tools</h2><ul><li>Saw<p>sharp</p></li><li><p>Oil</p></li></ul>after')).toEqual([
    '## Tools',
    '- Saw',
    'sharp',
    '- Oil',
    'after',
  ]);
});

test('cells stand apart, code keeps its lines', () => {
  expect(read('<table><tr><td>1</td><td>2</td></tr></table><pre>a\n  b\n</pre>')).toEqual([
    '1 | 2',
    'a',
    '  b',
  ]);
});

test('scripts and what is private are not read', () => {
  expect(read('<p>Card <span data-private>4711</span></p><script>no()</script>')).toEqual([
    'Card <redacted>',
  ]);
});
