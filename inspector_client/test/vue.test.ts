import { expect, test } from 'vitest';
import { vue } from '../src/source/vue';

const VERSION = '1234567890123';

/** A virtual node as the plugin's compilation makes it. */
function vnode(place: string | null, ctx: object | null = null) {
  return { props: place === null ? null : { ref_key: `${place}:${VERSION}`, class: 'a' }, ctx };
}

function element(own: Record<string, unknown>): Element {
  return Object.assign(document.createElement('li'), own);
}

const app = { type: { __name: 'App', __file: '/src/App.vue' }, vnode: vnode(null) };
const list = { type: { name: 'ItemList' }, vnode: vnode('src/App.vue:4:3', app) };

test('a tag’s place is the one in its virtual node, also with colons in the file’s name', () => {
  const raw = vue.read(element({ __vnode: vnode('C:/app/List.vue:12:5', list) }));
  expect(raw?.places[0]).toEqual({
    file: 'C:/app/List.vue',
    line: 12,
    column: 5,
    version: VERSION,
    tag: 'li',
    via: 'vnode',
  });
});

test('owners are those whose templates hold each other, each with its call site', () => {
  const slot = element({ __vnode: vnode('src/App.vue:5:5', app), __vueParentComponent: list });
  expect(vue.read(slot)?.owners).toEqual(['App']);
  const own = vue.read(element({ __vnode: vnode('src/List.vue:2:3', list) }));
  expect(own?.owners).toEqual(['ItemList', 'App']);
  expect(own?.places.map((place) => place?.line)).toEqual([2, 4, undefined]);
  expect(own?.places[1]).toMatchObject({ tag: 'ItemList' });
  expect(own?.places[1]).not.toHaveProperty('opaque');
});

test('where nothing is known of the element, the call site that stands for it is marked', () => {
  const inner = { type: {}, vnode: { props: null, ctx: list }, parent: list };
  const raw = vue.read(element({ __vnode: { props: {}, ctx: inner } }));
  expect(raw?.owners).toEqual(['Anonymous', 'ItemList', 'App']);
  expect(raw?.places.map((place) => place?.opaque)).toEqual([
    undefined,
    undefined,
    true,
    undefined,
  ]);
});

test('an asynchronous component counts once', () => {
  const wrapper = { type: { name: 'AsyncComponentWrapper' }, vnode: vnode('src/App.vue:6:3', app) };
  const page = { type: { __name: 'Page' }, vnode: vnode('src/App.vue:6:3', wrapper) };
  expect(vue.read(element({ __vnode: vnode('src/Page.vue:2:3', page) }))?.owners).toEqual([
    'Page',
    'App',
  ]);
});

test('of an element that code made in a component with a file, that file is known', () => {
  const raw = vue.read(element({ __vnode: { props: { ref_key: 'mine' }, ctx: app } }));
  expect(raw?.places[0]).toEqual({ file: '/src/App.vue', tag: 'li', via: '__file' });
});

test('names come from the component, else from its file', () => {
  const named = (type: object) => {
    const owner = { type, vnode: vnode(null) };
    return vue.read(element({ __vnode: vnode('a.vue:1:1', owner) }))?.owners[0];
  };
  expect(named({ __name: 'index', name: 'Shop' })).toBe('Shop');
  expect(named({ __file: 'C:\\app\\DishCard.vue' })).toBe('DishCard');
});

test('elements that Vue did not make are none of its', () => {
  expect(vue.read(element({}))).toBeNull();
});
