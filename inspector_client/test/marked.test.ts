import { afterEach, expect, test } from 'vitest';
import { parentOf } from '../src/element/deep';
import { attributesOf, htmlOf } from '../src/element/html';
import type { Place, Resolved } from '../src/protocol';
import { createLocator } from '../src/source';
import { created } from '../src/source/created';
import { hostsOf, marked, placeFrom } from '../src/source/marked';
import { preact } from '../src/source/preact';
import { reasons } from '../src/source/reasons';
import { solid } from '../src/source/solid';

afterEach(() => {
  document.body.replaceChildren();
  for (const name of ['__PAGESIDE__', 'Solid$$']) Reflect.deleteProperty(globalThis, name);
});

function put(html: string): Element {
  document.body.innerHTML = html;
  const first = document.body.firstElementChild;
  if (!first) throw new Error(`no element in ${html}`);
  return first;
}
const notes = (value: object) => Reflect.set(globalThis, '__PAGESIDE__', value);
const found = (element: Element): Element => element.querySelector('.it') ?? element;

test('a mark is a place; what is none is not', () => {
  expect(placeFrom('../a b:c.ts:12:3', 'p', 'attribute')).toEqual({
    file: '../a b:c.ts',
    line: 12,
    column: 3,
    tag: 'p',
    via: 'attribute',
  });
  for (const mark of ['', 'a.ts', 'a.ts:1', ':1:2', 'a.ts:x:2'])
    expect(placeFrom(mark, 'p', 'attribute')).toBeNull();
});

test('what lies in shadow roots is owned by their hosts, each with its call site', () => {
  class TaskList extends HTMLElement {}
  customElements.define('task-list', TaskList);
  const outer = put('<task-list data-pageside="index.html:2:1"></task-list>');
  const root = outer.attachShadow({ mode: 'open' });
  root.innerHTML = '<p data-pageside="src/list.ts:4:5">text</p>';
  expect(marked.read(root.firstElementChild as Element)).toMatchObject({
    framework: 'web-component',
    owners: ['TaskList'],
    places: [
      { file: 'src/list.ts', line: 4 },
      { file: 'index.html', line: 2 },
    ],
  });
});

test('what lies in no shadow root has no host, also a link outside the page', () => {
  const link = document.createElement('a');
  link.href = 'https://example.com/';
  expect(hostsOf(link)).toEqual([]);
  expect(parentOf(link)).toBeNull();
});

test('marks are not shown to agents', () => {
  const element = put('<ul data-pageside="a:1:1" class="x"><li data-pageside="a:2:1">y</li></ul>');
  expect(htmlOf(element)).toBe('<ul class="x"><li>y</li></ul>');
  expect(attributesOf(element)).toEqual({ class: 'x' });
});

test('Solid: owners are the components around, by the runtime’s notes; its own are nobody’s', () => {
  const element = put('<ul data-pageside="src/List.tsx:3:5"><li class="it"></li></ul>');
  const scope = (name: string, owner?: object, props = {}) => ({
    component: { name },
    props,
    owner,
  });
  const list = {};
  const app = scope('[solid-refresh]App');
  const owner = { owner: scope('For', scope('List', app, list)) };
  notes({
    solid: {
      elements: new WeakMap([[element, owner]]),
      sites: new WeakMap([[list, 'src/App.tsx:9:7']]),
    },
  });
  expect(solid.read(element)).toMatchObject({
    owners: ['List', 'App'],
    places: [{ line: 3, tag: 'ul' }, { file: 'src/App.tsx', line: 9, tag: 'List' }, null],
  });
  // Not from a template: innerHTML.
  expect(solid.read(found(element))).toBeNull();
});

test('Preact: an element is found from its container, with memo’s call site, also in a portal', () => {
  const element = put('<div id="app"><b class="it"></b></div>');
  const source = (lineNumber: number) => ({
    fileName: '/src/App.tsx',
    lineNumber,
    columnNumber: 3,
  });
  function Badge() {}
  const Memo = Object.assign(() => {}, { displayName: 'Memo(Badge)' });
  const memo = { type: Memo, __source: source(8), __k: [] as object[] };
  const badge = { type: Badge, __: memo, __k: [] as object[] };
  const vnode = { type: 'b', __e: found(element), __: badge, __source: source(20) };
  memo.__k.push(badge);
  badge.__k.push(vnode);
  Object.assign(element, { __k: { type: () => {}, __k: [memo] } });
  const expected = {
    owners: ['Badge'],
    places: [
      { line: 20, tag: 'b' },
      { line: 8, tag: 'Badge' },
    ],
  };
  expect(preact.read(found(element))).toMatchObject(expected);
  document.body.append(vnode.__e);
  expect(preact.read(vnode.__e)).toMatchObject(expected);
  expect(preact.read(document.body)).toBeNull();
});

const noteBy = (by: string, url: string) => {
  const error = new Error(by);
  error.stack = `Error: ${by}\n    at outer (http://h/@vite/client:9:1)\n    at run (${url}:5:7)`;
  return { by, error };
};

test('an element made by a script leads to the first frame of the project', () => {
  const element = put('<p></p>');
  notes({
    created: { made: new WeakMap([[element, noteBy('createElement', 'http://h/src/a.ts')]]) },
  });
  expect(created.read(element)?.places).toEqual([
    { frame: { url: 'http://h/src/a.ts', line: 5, column: 7 }, tag: 'p', via: 'createElement' },
  ]);
});

const exact: Resolved = {
  file: 'src/a.ts',
  line: 1,
  column: 1,
  component: 'App',
  package: null,
  exact: true,
};
const locate = createLocator(async (places: (Place | null)[]) =>
  places.map((place) => (place ? exact : null)),
);

test.each([
  [
    'a package',
    '<p data-pageside="a:1:1"><b class="it"></b></p>',
    reasons.byPackage('append', 'p'),
  ],
  [
    'a script',
    '<p data-pageside="a:1:1"><b class="it"></b></p>',
    reasons.byScript('html', 'p', true),
  ],
  ['a server', '<b class="it"></b>', reasons.server(true)],
  ['an extension', '<b class="it"><img src="moz-extension://a/b.png"></b>', reasons.extension],
  ['Pageside', '<pageside-overlay><b class="it"></b></pageside-overlay>', reasons.pageside],
])('what %s made says so', async (by, html, why) => {
  const element = found(put(html));
  const made = new WeakMap(
    by === 'a package' ? [[element, noteBy('append', 'http://h/node_modules/x/y.js')]] : [],
  );
  notes({ created: { made } });
  expect(await locate(element)).toMatchObject({ ...why, exact: false });
});

test.each([
  [{ off: ['markup'] }, undefined, 'markup'],
  [{ off: ['solid'] }, {}, 'solid'],
])('an option that is off is named', async (own, Solid, name) => {
  notes(own);
  if (Solid) Reflect.set(globalThis, 'Solid$$', true);
  expect(await locate(put('<p></p>'))).toMatchObject({ ...reasons.option(name), exact: false });
});

test('React’s production build is named; its HTML properties are', async () => {
  const element = put('<p data-pageside="a:1:1"><b class="it"></b></p>');
  Object.assign(found(element), { __reactFiber$a: { memoizedProps: {} } });
  expect(await locate(found(element))).toMatchObject(reasons.production('react'));
  const source = { fileName: '/a.tsx', lineNumber: 1 };
  const props = { dangerouslySetInnerHTML: {} };
  Object.assign(element, { __reactFiber$a: { _debugSource: source }, __reactProps$a: props });
  Reflect.deleteProperty(found(element), '__reactFiber$a');
  expect(await locate(found(element))).toMatchObject({
    ...reasons.byProperty('dangerouslySetInnerHTML', 'p'),
    exact: false,
  });
});

test('an element of a package that the project does not use itself is told with the package', async () => {
  const ofPackage = createLocator(async (places) => places.map(() => ({ ...exact, package: 'x' })));
  expect(await ofPackage(put('<p data-pageside="a:1:1"></p>'))).toMatchObject({
    ...reasons.ofPackage('x'),
    file: '',
    exact: false,
  });
});

test('without an answer nothing is called exact', async () => {
  const offline = createLocator(() => Promise.reject(new Error('offline')));
  expect(await offline(put('<p data-pageside="a.ts:1:1"></p>'))).toMatchObject({
    ...reasons.unchecked,
    file: 'a.ts',
    exact: false,
  });
});
