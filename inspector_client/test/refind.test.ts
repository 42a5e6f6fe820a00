import { afterEach, expect, test } from 'vitest';
import { find } from '../src/source/refind';

afterEach(() => document.body.replaceChildren());

/** What is found in a page with these elements, each with an id to tell it by. */
async function found(elements: [tag: string, id: string, text: string][], wanted: object) {
  for (const [tag, id, text] of elements) {
    const element = document.createElement(tag);
    element.id = id;
    element.textContent = text;
    document.body.append(element);
  }
  const named = (id: string) => (id === 'gone' ? null : document.getElementById(id));
  const how = await find(wanted, { element: named, id: () => '' });
  return how.found === 'lost' ? ['lost'] : [how.found, how.by, how.element.id];
}

const ROWS: [string, string, string][] = [
  ['li', 'a', 'Apples'],
  ['li', 'b', 'Pears'],
  ['p', 'c', 'Pears'],
];
const PEARS = { elementId: 'gone', selector: 'li:nth-of-type(2)', tag: 'li', text: 'Pears' };

test('by its id, whatever became of it', async () => {
  expect(await found(ROWS, { ...PEARS, elementId: 'a' })).toEqual(['placed', 'id', 'a']);
});

test('by a selector that leads to the same tag with the same text', async () => {
  expect(await found(ROWS, PEARS)).toEqual(['placed', 'selector', 'b']);
});

test('a selector that leads to several is approximate, with the same text if there is one', async () => {
  expect(await found(ROWS, { ...PEARS, selector: 'li' })).toEqual(['approximate', 'selector', 'b']);
  expect(await found([], { ...PEARS, selector: 'li', text: 'Plums' })).toEqual([
    'approximate',
    'selector',
    'a',
  ]);
});

test('a selector that leads to other words: elsewhere with the same words is nearer', async () => {
  const moved: typeof ROWS = [
    ['li', 'b', 'Pears'],
    ['li', 'a', 'Apples'],
  ];
  expect(await found(moved, PEARS)).toEqual(['approximate', 'text', 'b']);
});

test('other words in the same place, and nowhere else: approximate', async () => {
  expect(await found(ROWS, { ...PEARS, text: 'Plums' })).toEqual(['approximate', 'selector', 'b']);
});

test('a selector that leads nowhere, or to another tag: by text, role and name', async () => {
  expect(await found(ROWS, { ...PEARS, selector: '.old' })).toEqual(['approximate', 'text', 'b']);
  expect(await found([], { ...PEARS, selector: '#c' })).toEqual(['approximate', 'text', 'b']);
  const input = document.createElement('input');
  input.id = 'field';
  input.setAttribute('aria-label', 'Amount');
  document.body.append(input);
  const wanted = { selector: '.old', tag: 'input', text: '', role: 'textbox', name: 'Amount' };
  expect(await found([], wanted)).toEqual(['approximate', 'text', 'field']);
});

test('neither place nor words: lost', async () => {
  expect(await found(ROWS, { ...PEARS, selector: '.old', text: 'Plums' })).toEqual(['lost']);
  expect(await found([], { selector: '<<', tag: 'li', text: '' })).toEqual(['lost']);
  expect(await found([], {})).toEqual(['lost']);
});

test('a text of which something was taken out is no text to compare', async () => {
  const wanted = { ...PEARS, text: 'Token <redacted>' };
  expect(await found(ROWS, wanted)).toEqual(['placed', 'selector', 'b']);
});
