import { afterEach, expect, test } from 'vitest';
import type { Place, Resolved } from '../src/protocol';
import { createLocator } from '../src/source';
import { firstOwnFrame } from '../src/source/frames';
import { react } from '../src/source/react';

const kept = new WeakMap<object, { source: object; order: number }>();
let order = 0;
afterEach(() => Reflect.deleteProperty(globalThis, '__PAGESIDE__'));

/** Props as the plugin's JSX runtime knows them. */
function props(fileName: string, lineNumber: number): object {
  const own = {};
  order += 1;
  kept.set(own, { source: { fileName, lineNumber, columnNumber: 5 }, order });
  Reflect.set(globalThis, '__PAGESIDE__', { react: { props: kept } });
  return own;
}

function element(fiber: object, committed?: object): Element {
  const node = document.createElement('button');
  Object.assign(node, {
    __reactFiber$abc: fiber,
    ...(committed && { __reactProps$abc: committed }),
  });
  return node;
}

test('the place is that of the newest props, committed, of the fiber or of its alternate', () => {
  const [old, newer, newest] = [props('/a.tsx', 1), props('/a.tsx', 2), props('/a.tsx', 3)];
  const fiber = { memoizedProps: old, alternate: { memoizedProps: newest } };
  expect(react.read(element(fiber, newer))?.places[0]).toEqual({
    file: '/a.tsx',
    line: 3,
    column: 5,
    tag: 'button',
    via: 'jsxDEV',
  });
});

test('owners are named through memo and forwardRef, each with its call site', () => {
  const App = { type: function App() {}, memoizedProps: props('/main.tsx', 9) };
  const Fancy = { type: { render: function Fancy() {} }, _debugOwner: App };
  const Row = { type: { type: function Row() {} }, _debugOwner: Fancy };
  const raw = react.read(element({ memoizedProps: props('/row.tsx', 4), _debugOwner: Row }));
  expect(raw?.owners).toEqual(['Row', 'Fancy', 'App']);
  expect(raw?.places.map((place) => place?.line)).toEqual([4, undefined, undefined, 9]);
});

test('without kept props the place is React 18’s source, else the first own frame', () => {
  const source = { fileName: '/b.tsx', lineNumber: 7, columnNumber: 2 };
  expect(react.read(element({ _debugSource: source }))?.places[0]).toMatchObject({
    file: '/b.tsx',
    line: 7,
    via: '_debugSource',
  });
  const stack = 'Error: react-stack-top-frame\n    at App (http://h/src/App.tsx?t=1:12:8)';
  expect(react.read(element({ _debugStack: { stack } }))?.places[0]).toEqual({
    frame: { url: 'http://h/src/App.tsx?t=1', line: 12, column: 8 },
    tag: 'button',
    via: '_debugStack',
  });
});

test('an element that React did not make has no place', () => {
  expect(react.read(document.createElement('p'))).toBeNull();
});

test.each([
  [
    'Chromium',
    'Error: react-stack-top-frame\n at exports.jsxDEV (http://h/node_modules/.vite/deps/react_jsx-dev-runtime.js:250:20)\n at jsxDEV (http://h/@id/__x00__pageside:react:9:14)\n at List (http://h/src/List.jsx:3:9)',
    3,
  ],
  ['Firefox', 'jsxDEV@http://h/deps/chunk-A.js:1:2\nList@http://h/src/List.jsx:4:9', 4],
  ['Chromium, anonymous', 'Error\n    at http://h/src/List.jsx:5:1', 5],
])('the first own frame is found in a stack of %s', (_, stack, line) => {
  expect(firstOwnFrame(stack)).toMatchObject({ url: 'http://h/src/List.jsx', line });
});

test('frames below React’s bottom are nobody’s', () => {
  const stack = 'at Object.react_stack_bottom_frame (http://h/r.js:1:1)\n at x (http://h/a.js:1:1)';
  expect(firstOwnFrame(stack)).toBeNull();
});

const resolved = (file: string, more: Partial<Resolved> = {}): Resolved => ({
  file,
  line: 1,
  column: 1,
  component: null,
  package: null,
  exact: true,
  ...more,
});

test('an element of a library gets the user’s own call site', async () => {
  const App = { type: function App() {}, memoizedProps: props('/app/main.tsx', 2) };
  const Dialog = {
    type: function Dialog() {},
    memoizedProps: props('/app/App.tsx', 8),
    _debugOwner: App,
  };
  const node = element({ memoizedProps: props('/n/lib.js', 1), _debugOwner: Dialog });
  const answers: Record<string, Resolved> = {
    '/n/lib.js': resolved('node_modules/lib/lib.js', { package: 'lib' }),
    '/app/App.tsx': resolved('src/App.tsx', { line: 8, component: 'Home' }),
    '/app/main.tsx': resolved('src/main.tsx', { line: 2 }),
  };
  const resolve = async (places: (Place | null)[]) =>
    places.map((place) => answers[place?.file ?? ''] ?? null);
  expect(await createLocator(resolve)(node)).toEqual({
    file: 'src/App.tsx',
    component: 'Home',
    line: 8,
    column: 1,
    exact: true,
    stack: [
      { component: 'Dialog', file: 'src/App.tsx', line: 8, column: 1 },
      { component: 'App', file: 'src/main.tsx', line: 2, column: 1 },
    ],
    framework: 'react',
  });
});

test('an element inside raw HTML gets the place of the one around it, and says so', async () => {
  const outer = element({ memoizedProps: props('/app/App.tsx', 8) });
  outer.innerHTML = '<b>raw</b>';
  const resolve = async () => [resolved('src/App.tsx')];
  const source = await createLocator(resolve)(outer.children[0] as Element);
  expect(source).toMatchObject({ file: 'src/App.tsx', exact: false });
  expect(source.reason).toContain('innerHTML or a script');
});

test('without an answer of the dev server the place is told unchecked', async () => {
  const node = element({ memoizedProps: props('/app/App.tsx', 8) });
  const source = await createLocator(() => Promise.reject(new Error('down')))(node);
  expect(source).toMatchObject({ file: '/app/App.tsx', line: 8, exact: false });
  expect(source.reason).toContain('did not answer');
});

test('no framework: no file, and the reason', async () => {
  const source = await createLocator(async () => [])(document.createElement('p'));
  expect(source).toMatchObject({ file: '', line: 0, column: 0, exact: false, framework: 'none' });
});
