import { afterEach, expect, test } from 'vitest';
import { svelte } from '../src/source/svelte';

afterEach(() => Reflect.deleteProperty(globalThis, '__PAGESIDE__'));

type Entry = { type: string; file: string; line: number; componentTag?: string };

/** An element of `file`, made while the entries were being rendered, from the inside out. */
function element(file: string, ...entries: Entry[]): Element {
  const parent = entries.reduceRight<object | null>(
    (outer, entry) => ({ column: 2, ...entry, parent: outer }),
    null,
  );
  const loc = { file, line: 5, column: 0 };
  return Object.assign(document.createElement('p'), { __svelte_meta: { parent, loc } });
}

const component = (componentTag: string, file: string, line = 1) =>
  ({ type: 'component', componentTag, file, line }) as const;
const block = (type: string, file: string) => ({ type, file, line: 9 });

function ownersOf(...args: Parameters<typeof element>) {
  const raw = svelte.read(element(...args));
  return raw?.owners.map((owner, index) => [owner, raw.places[index + 1]?.line]);
}

test('places are 1-based, from the folder of the dev server, in the text that the page has', () => {
  Reflect.set(globalThis, '__PAGESIDE__', { svelte: { 'src/Card.svelte': '?t=1234567890123' } });
  const { places } =
    svelte.read(element('src/Card.svelte', component('Card', 'src/App.svelte'))) ?? {};
  expect(places).toEqual([
    {
      file: 'src/Card.svelte',
      line: 5,
      column: 1,
      base: 'cwd',
      version: '1234567890123',
      tag: 'p',
      via: '__svelte_meta',
    },
    { file: 'src/App.svelte', line: 1, column: 3, base: 'cwd', tag: 'Card', via: '__svelte_meta' },
  ]);
});

test('blocks between components are no owners', () => {
  expect(
    ownersOf(
      'Card.svelte',
      block('if', 'Card.svelte'),
      component('Card', 'App.svelte', 3),
      block('each', 'App.svelte'),
    ),
  ).toEqual([
    ['Card', 3],
    ['App', undefined],
  ]);
});

test('what a snippet makes belongs to the component that wrote it, through all that pass it on', () => {
  expect(
    ownersOf(
      'Page.svelte',
      block('render', 'Panel.svelte'),
      block('render', 'Box.svelte'),
      component('Box', 'Panel.svelte'),
      component('Panel', 'Page.svelte'),
      component('Page', 'App.svelte', 8),
    ),
  ).toEqual([
    ['Page', 8],
    ['App', undefined],
  ]);
});

test('so does the content of a slot, which has no entry of its own', () => {
  expect(ownersOf('App.svelte', component('Panel', 'App.svelte'))).toEqual([['App', undefined]]);
});

test('a component in itself is an owner each time', () => {
  expect(
    ownersOf(
      'Tree.svelte',
      component('Tree', 'Tree.svelte', 2),
      component('svelte:self', 'Tree.svelte', 2),
      component('Tree', 'App.svelte', 7),
    ),
  ).toEqual([
    ['Tree', 2],
    ['Tree', 2],
    ['Tree', 7],
    ['App', undefined],
  ]);
});

test('elements that Svelte did not make are none of its', () => {
  expect(svelte.read(document.createElement('p'))).toBeNull();
  const bare = Object.assign(document.createElement('p'), { __svelte_meta: null });
  expect(svelte.read(bare)).toBeNull();
});
