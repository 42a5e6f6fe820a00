import { afterEach, expect, test, vi } from 'vitest';
import { createExplainer } from '../src/source/explain';
import { customElementOwners } from '../src/source/held/custom-element';
import { preactOwners } from '../src/source/held/preact';
import { reactOwners } from '../src/source/held/react';
import { solidOwners } from '../src/source/held/solid';
import { svelteOwners } from '../src/source/held/svelte';
import { vueOwners } from '../src/source/held/vue';
import { hookCalls } from './fakes';

afterEach(() => Reflect.deleteProperty(globalThis, '__PAGESIDE__'));

const button = (fields: object) => Object.assign(document.createElement('button'), fields);
/** A component's fiber with hooks, in a tree that shows the alternate. */
function reactTree(hooks: [string, unknown][], more: object = {}) {
  let list: object | null = null;
  for (const [, memoizedState] of [...hooks].reverse()) list = { memoizedState, next: list };
  const root: Record<string, unknown> = { child: null };
  const shown = {
    type: function Cart() {},
    memoizedProps: {
      open: true,
      get lazy() {
        throw new Error('nobody may call this');
      },
    },
    memoizedState: list,
    _debugHookTypes: hooks.map(([hook]) => hook).filter(Boolean),
    return: root,
    ...more,
  };
  const stale = { ...shown, memoizedProps: { open: false }, memoizedState: null, alternate: shown };
  root.child = shown;
  root.stateNode = { current: root };
  return button({ __reactFiber$1: { _debugOwner: stale } });
}

test('React: what is on the page now, also when the fiber is the older one of its pair', () => {
  const node = reactTree([
    ['useState', 1],
    ['useRef', { current: 'box' }],
    ['useMemo', ['both', []]],
    ['useEffect', {}],
    ['useTransition', false],
    ['', () => 0],
    ['useSyncExternalStore', 'online'],
    ['', {}],
    ['useId', 'r1'],
  ]);
  const [owner] = reactOwners(node);
  expect(owner?.name).toBe('Cart');
  expect(owner?.props()).toEqual([{ name: 'open', value: true }]);
  const hooks = hookCalls(
    'count=useState box=useRef both=useMemo =useEffect busy=useTransition net=useSyncExternalStore id=useId',
  );
  expect(owner?.state(hooks).map(({ name, value, kind }) => [name, value, kind])).toEqual([
    ['count', 1, 'useState'],
    ['box', 'box', 'useRef'],
    ['both', 'both', 'useMemo'],
    ['busy', false, 'useTransition'],
    ['net', 'online', 'useSyncExternalStore'],
    ['id', 'r1', 'useId'],
  ]);
});

test('React: contexts have their variable’s name, else their own; hooks of one’s own are named', () => {
  const node = reactTree([['useState', 1]], {
    _debugHookTypes: ['useContext', 'useState', 'useContext'],
    dependencies: {
      firstContext: {
        context: {},
        memoizedValue: 'dark',
        next: { context: { displayName: 'User' }, memoizedValue: 'ada' },
      },
    },
  });
  const [owner] = reactOwners(node);
  expect(owner?.state(hookCalls('theme=useContext user=useUser'))).toEqual([
    { name: 'theme', value: 'dark', kind: 'useContext' },
    { name: '', value: 1, kind: 'useState in useUser' },
    { name: 'User', value: 'ada', kind: 'useContext in useUser' },
  ]);
});

test('React: another way to keep hooks than the known one tells nothing, and a class has its state', () => {
  expect(
    reactOwners(
      reactTree([
        ['useState', 1],
        ['', 2],
      ]),
    )[0]?.state([]),
  ).toEqual([]);
  const node = reactTree([], { stateNode: { state: { n: 1 } } });
  expect(reactOwners(node)[0]?.state([])).toEqual([{ name: 'n', value: 1, kind: 'state' }]);
});

test('Preact: hooks by their shape, with the names of the source', () => {
  const context = { Provider: () => 0, __c: 'c1', __: 'none', displayName: 'Theme' };
  const kept = [
    { __: [1, () => 0], t: () => 0 },
    { __: { current: 2 }, __H: [] },
    { __: () => 0, __P: true },
    { __: true, c: context },
    { __: 'sum', __H: [] },
  ];
  const component = { __H: { __: kept }, context: { c1: { props: { value: 'dark' } } } };
  const owner = { type: function Cart() {}, props: { a: 1 }, __c: component, __: null };
  const node = button({});
  const container = document.createElement('div');
  container.append(node);
  Object.assign(container, { __k: { type: 0, __k: [{ type: 'button', __e: node, __: owner }] } });
  const [found] = preactOwners(node);
  expect(found?.props()).toEqual([{ name: 'a', value: 1 }]);
  const hooks = hookCalls('n=useState box=useRef =useEffect theme=useContext sum=useMemo');
  expect(found?.state(hooks)).toEqual([
    { name: 'n', value: 1, kind: 'useState' },
    { name: 'box', value: 2, kind: 'useRef' },
    { name: 'theme', value: 'dark', kind: 'useContext' },
    { name: 'sum', value: 'sum', kind: 'useMemo' },
  ]);
});

test('Vue: refs are unwrapped, computed values are not run, functions and constants are no state', () => {
  const computed = vi.fn();
  const instance = {
    type: { __name: 'Cart' },
    props: { __v_raw: { plant: { __v_raw: { id: 1 } } } },
    attrs: { class: 'x' },
    devtoolsRawSetupState: {
      n: { __v_isRef: true, _value: 1 },
      twice: { __v_isRef: true, _value: 2, fn: computed, flags: 0 },
      late: { __v_isRef: true, _value: 3, fn: computed, flags: 16 },
      list: { __v_isReactive: true, __v_raw: [1] },
      add: () => 0,
      LIMIT: 5,
    },
    data: { __v_raw: { old: true } },
    parent: { type: { __file: '/src/App.vue' }, vnode: {} },
    vnode: {},
  };
  const [cart, app] = vueOwners(button({ __vnode: { ctx: instance } }));
  expect([cart?.name, app?.name]).toEqual(['Cart', 'App']);
  expect(cart?.props()).toEqual([
    { name: 'plant', value: { id: 1 } },
    { name: 'class', value: 'x', kind: 'attribute' },
  ]);
  expect(cart?.state([])).toEqual([
    { name: 'n', value: 1, kind: 'ref' },
    { name: 'twice', value: 2, kind: 'computed' },
    { name: 'late', value: 3, kind: 'computed, before its last change' },
    { name: 'list', value: [1], kind: 'reactive' },
    { name: 'old', value: true, kind: 'data' },
  ]);
  expect(computed).not.toHaveBeenCalled();
});

test('Svelte: what the plugin noted of the tag that made the component, and of the root', () => {
  const tag = {
    type: 'component',
    file: '/src/App.svelte',
    componentTag: 'Row',
    line: 1,
    column: 0,
  };
  const noted = {
    props: {
      $$slots: {},
      get id() {
        return 7;
      },
    },
    state: [
      { name: 'n', source: { v: 1 } },
      { name: 'twice', source: { v: Symbol('unasked'), fn: () => 0 } },
      { name: 'list', value: [1] },
    ],
  };
  const root = { props: {}, state: [{ name: 'open', source: { v: true } }] };
  Reflect.set(globalThis, '__PAGESIDE__', {
    svelteState: {
      components: new WeakMap([[tag, noted]]),
      roots: new Map([['/src/App.svelte', root]]),
    },
  });
  const meta = { loc: { file: '/src/Row.svelte', line: 1, column: 0 }, parent: tag };
  const [row, app] = svelteOwners(button({ __svelte_meta: meta }));
  expect(row?.props()).toEqual([{ name: 'id', value: 7 }]);
  expect(row?.state([])).toEqual([
    { name: 'n', value: 1, kind: '$state' },
    { name: 'twice', value: undefined, kind: '$derived' },
    { name: 'list', value: [1], kind: '$state' },
  ]);
  expect(app?.state([])).toEqual([{ name: 'open', value: true, kind: '$state' }]);
});

test('Solid: props are asked for, a throwing one spoils only itself; signals have the source’s names', () => {
  const node = button({});
  const scope = {
    component: { name: '[solid-refresh]Cart' },
    props: {
      get a() {
        return 1;
      },
      get b() {
        throw new Error('no');
      },
    },
    owned: [{ sourceMap: [{ value: 5 }, { value: 6, name: 'own' }] }],
  };
  Reflect.set(globalThis, '__PAGESIDE__', {
    solid: { elements: new WeakMap([[node, { owner: scope }]]), sites: new WeakMap() },
  });
  const [cart] = solidOwners(node);
  expect(cart?.name).toBe('Cart');
  expect(cart?.props()).toEqual([
    { name: 'a', value: 1 },
    { name: 'b', value: undefined },
  ]);
  expect(cart?.state(hookCalls('n=createSignal =createEffect m=createStore'))).toEqual([
    { name: 'n', value: 5, kind: 'signal' },
    { name: 'own', value: 6, kind: 'signal' },
  ]);
});

test('custom elements: reactive properties, else attributes and own fields', () => {
  class Declared extends HTMLElement {
    static elementProperties = new Map([
      ['open', {}],
      ['count', { state: true }],
    ]);
    open = true;
    count = 2;
    other = 3;
  }
  class Plain extends HTMLElement {
    rows = [1];
    onRow = () => 0;
  }
  customElements.define('held-declared', Declared);
  customElements.define('held-plain', Plain);
  const [declared] = customElementOwners(document.createElement('held-declared'));
  expect(declared?.props()).toEqual([{ name: 'open', value: true, kind: 'property' }]);
  expect(declared?.state([])).toEqual([{ name: 'count', value: 2, kind: 'state' }]);
  const host = document.createElement('held-plain');
  host.setAttribute('data-token', 'abc');
  const [plain] = customElementOwners(host);
  expect(plain?.name).toBe('Plain');
  expect(plain?.props()).toEqual([{ name: 'data-token', value: '[redacted]', kind: 'attribute' }]);
  expect(plain?.state([])).toContainEqual({ name: 'rows', value: [1], kind: 'field' });
});

test('a part that fails, or is never done, costs nothing but itself', async () => {
  vi.useFakeTimers();
  const located = {
    file: 'a',
    component: 'A',
    line: 1,
    column: 1,
    exact: true,
    stack: [],
    framework: 'react',
  };
  const explain = createExplainer(
    async () => located,
    [
      () => {
        throw new Error('at once');
      },
      async () => {
        throw new Error('later');
      },
      () => new Promise(() => {}),
      async () => ({ heldBy: 'B' }),
    ],
  );
  const explained = explain(button({}));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await explained).toEqual({ ...located, heldBy: 'B' });
  vi.useRealTimers();
});
