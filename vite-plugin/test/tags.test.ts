import { expect, test } from 'vitest';
import { checkTag } from '../src/source/tags.ts';

const EXACT = { exact: true };

test.each([
  ['  <li key={id}>', 3, 'li', { column: 3, ...EXACT }],
  ['  <li>', 3, 'l', { column: 3, exact: false }],
  ['  <Row item={item} />', 3, 'RowView', { column: 3, tag: 'Row', ...EXACT }],
  ['  <menu.Item />', 3, 'Item', { column: 3, ...EXACT }],
  ['  <Row />', 3, 'li', { column: 3, exact: false }],
  ['  <li />', 3, 'Row', { column: 3, exact: false }],
  ['  <my-element />', 3, 'my-element', { column: 3, ...EXACT }],
  ['  <component :is="tag">', 3, 'b', { column: 3, ...EXACT }],
  ['  <svelte:element this={tag}>', 3, 'h2', { column: 3, ...EXACT }],
  ['  <svelte:component this={Part} />', 3, '', { column: 3, ...EXACT }],
  ['  <dish-card />', 3, 'DishCard', { column: 3, tag: 'dish-card', ...EXACT }],
  ['  <dish-card />', 3, 'li', { column: 3, exact: false }],
  ['  <RouterLink to="/" />', 3, '', { column: 3, tag: 'RouterLink', ...EXACT }],
  ['', 1, 'li', { column: 1, exact: false }],
])('%j at column %i is checked for <%s>', (line, column, tag, expected) => {
  expect(checkTag(line, column, tag)).toMatchObject(expected);
});

test('a shifted column is corrected when the line has the tag once', () => {
  expect(checkTag('      <span className="tag">', 3, 'span')).toEqual({
    column: 7,
    tag: 'span',
    exact: true,
  });
});

test('a shifted column is not guessed when the line has the tag twice', () => {
  expect(checkTag('   <td>1</td><td>2</td>', 2, 'td')).toMatchObject({ column: 2, exact: false });
});
