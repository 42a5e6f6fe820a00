import { afterEach, expect, test } from 'vitest';
import { interactiveOnly } from '../src/toolkit/interactive';
import { createFlow, type Item } from '../src/toolkit/items';
import { createLabels } from '../src/toolkit/labels';
import { written } from '../src/toolkit/names';
import { roleOf } from '../src/toolkit/roles';
import { statesOf } from '../src/toolkit/states';
import { createUids } from '../src/toolkit/uids';
import { isPrivate, readValue } from '../src/toolkit/values';

afterEach(() => document.body.replaceChildren());

function show(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild as Element;
}

function item(role: string, children: Item[] = [], name = '', states: string[] = []): Item {
  const element = document.createElement('div');
  const acts = role === 'button';
  return { element, role, name, states, acts, isForeign: false, children };
}

const heading = (level: number): Item => item('heading', [], `H${level}`, [`level=${level}`]);
const outline = (items: Item[]): unknown[] =>
  items.map(({ role, name, children }) => [name || role, ...outline(children)]);

test('a uid counts up, names its document, and finds its element while that is on the page', () => {
  const uids = createUids(7);
  const [one, two] = [show('<p></p>'), document.createElement('p')];
  expect([uids.uid(one), uids.uid(two), uids.uid(one)]).toEqual(['7_1', '7_2', '7_1']);
  expect(['7_1', '7_2', '7_3', '1_1'].map(uids.element)).toEqual([one, null, null, null]);
  document.body.append(two);
  one.remove();
  expect(['7_1', '7_2'].map(uids.element)).toEqual([null, two]);
});

test('text that belongs together is one line, and ends where something else begins', () => {
  const flow = createFlow();
  flow.text(' Some');
  flow.text('\n  words ');
  flow.break();
  flow.text(' ');
  flow.text('\uE5CD more');
  flow.add(item('button'));
  flow.text('   ');
  flow.break();
  expect(flow.items.map(({ name, role }) => name || role)).toEqual([
    'Some words',
    'more',
    'button',
  ]);
});

test('of idle things only those stay that tell where a button is', () => {
  const page = [
    item('main', [heading(1), heading(2), item('list', [item('listitem', [item('button')])])]),
    item('navigation', [heading(2)]),
    item('table', [item('row', [item('cell', [], 'Ann'), item('cell', [item('button')])])]),
  ];
  expect(outline(interactiveOnly(page))).toEqual([
    ['main', ['H1'], ['H2'], ['button']],
    ['table', ['Ann', ['button']]],
  ]);
});

test('a heading stays only for what comes under it', () => {
  const page = [heading(1), heading(2), heading(3), heading(2), item('button'), heading(2)];
  expect(outline(interactiveOnly(page))).toEqual([['H1'], ['H2'], ['button']]);
});

test('each control has the labels of its own tree, in order', () => {
  show(
    '<label for="a">One</label><label>Two <input id="b"></label><label for="a">Three</label><input id="a">',
  );
  const labels = createLabels();
  const texts = (id: string) =>
    labels(document.getElementById(id) as Element).map((label) => label.textContent);
  expect([texts('a'), texts('b')]).toEqual([['One', 'Three'], ['Two ']]);
});

test.each([
  ['"Close"', 'Close'],
  ['"✕" / "Close"', 'Close'],
  ['"a" attr(x) "b"', 'ab'],
  ['"say \\"hi\\""', 'say "hi"'],
  ['none', ''],
  ['url("x.png")', ''],
])('what a style sheet writes with %s is read as %s', (content, text) => {
  expect(written(content)).toBe(text);
});

test.each([
  ['<div role="knopf BUTTON">', 'button'],
  ['<div role="presentation">', 'none'],
  ['<button role="none">', 'button'],
  ['<div role="region">', 'generic'],
  ['<div role="image">', 'img'],
  ['<input type="tel" list="x">', 'combobox'],
  ['<input type="nonsense">', 'textbox'],
  ['<select multiple>', 'listbox'],
  ['<a name="x">', 'generic'],
  ['<constructor>', 'generic'],
])('%s is a %s', (html, role) => {
  expect(roleOf(show(html))).toBe(role);
});

test.each([
  ['<input type="password" value="x">', '<redacted>'],
  ['<input autocomplete="section-a cc-number" value="x">', '<redacted>'],
  ['<textarea autocomplete="one-time-code">x</textarea>', '<redacted>'],
  ['<input data-private value="x">', '<redacted>'],
  ['<input type="password">', ''],
  ['<input value=" x  y ">', 'x y'],
])('the value of %s reads %s', (html, value) => {
  const field = show(html);
  expect(readValue(field, 'textbox')).toBe(value);
});

test('what is in something private is private', () => {
  show('<form data-private><input id="in"></form><input id="out">');
  const about = (id: string) => isPrivate(document.getElementById(id) as Element);
  expect([about('in'), about('out')]).toEqual([true, false]);
});

test.each([
  ['<div aria-checked="mixed" aria-expanded="false">', 'checked=mixed collapsed'],
  ['<div aria-invalid="" aria-haspopup="true" aria-current="page">', 'haspopup current=page'],
  ['<div aria-disabled="true" aria-selected="false">', 'disabled'],
  ['<h2 aria-level="5">', 'level=5'],
  ['<h3>', 'level=3'],
  ['<summary>', 'collapsed'],
  ['<div contenteditable="">', 'editable'],
])('%s is told as %s', (html, states) => {
  expect(statesOf(show(html), 'generic').join(' ')).toBe(states);
});
