import { expect, test } from 'vitest';
import { astroTag } from '../src/frameworks/astro.ts';

const file = '/app/src/pages/index.astro';

/** Where the tag starts, for the element whose told place is marked with ¦ in the text. */
function tagOf(marked: string, tag: string, name = file) {
  const before = marked.slice(0, marked.indexOf('¦')).split('\n');
  const told = { file: name, line: before.length, column: (before.at(-1) ?? '').length + 1 };
  const { line, column } = astroTag(told, marked.replace('¦', '').split('\n'), tag);
  return `${line}:${column}`;
}

test.each([
  ['the place is where the children begin', '<main>\n  <h1>¦Hello</h1>\n</main>', 'h1', '2:3'],
  ['the tag stretches over lines', '<ul\n  class="a"\n>¦\n</ul>', 'ul', '1:1'],
  ['the element can have no children', '<p>\n  <¦img src="a.png" />\n</p>', 'img', '2:3'],
  ['strings hold tags', '<p title="<p>">¦x</p>', 'p', '1:1'],
  [
    'expressions hold tags and arrows',
    '<div data={list.map((n) => <div>{n}</div>)}>¦x</div>',
    'div',
    '1:1',
  ],
  ['a longer name begins alike', '<p><pre>x</pre></p><p>¦y</p>', 'p', '1:20'],
])('%s', (_, marked, tag, place) => {
  expect(tagOf(marked, tag)).toBe(place);
});

test('a place that no such tag belongs to stays as it is', () => {
  expect(tagOf('<main>\n  <h1>Hel¦lo</h1>\n</main>', 'h1')).toBe('2:10');
});

test('places in other files stay as they are', () => {
  expect(tagOf('<h1>¦Hello</h1>', 'h1', '/app/src/App.vue')).toBe('1:5');
});
