import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Place, Resolved, SourceLocation } from '../src/protocol';
import { createUsage, type Reach } from '../src/source/usage';
import { shortSummary, summaryOf } from '../src/source/usage-summary';

const KNOWN = { instances: 3, places: 14, modules: 5, counted: true, importers: 5 };
const site = { file: 'src/Checkout.tsx', line: 88, column: 5 };

test.each([
  [
    { ...KNOWN, site },
    'Shared by 14 places in 5 modules, 3 elements on this page; the usage site is src/Checkout.tsx:88.',
  ],
  [{ ...KNOWN, places: 2, modules: 1 }, 'Shared by 2 places in 1 module, 3 elements on this page.'],
  [{ ...KNOWN, places: 1, modules: 1, instances: 1 }, 'Used in 1 place, 1 element on this page.'],
  [
    { ...KNOWN, places: 0, modules: 0, importers: 1 },
    'Imported by 1 module, with no use to be found, 3 elements on this page.',
  ],
  [
    { ...KNOWN, places: 0, modules: 0, counted: false, importers: 2 },
    'Imported by 2 modules, uses not counted, 3 elements on this page.',
  ],
  [
    { ...KNOWN, places: 0, modules: 0, counted: false, importers: 0, instances: 0 },
    '0 elements on this page.',
  ],
])('the sentence for %j', (known, sentence) => {
  expect(summaryOf(known)).toBe(sentence);
});

test('people get it short', () => {
  const usage = { ...KNOWN, importedBy: [], summary: '' };
  expect(shortSummary(usage)).toEqual(['14 places · 5 modules · ', '3 on this page']);
  expect(shortSummary({ ...usage, places: 1, modules: 1 })[0]).toBe('1 place · 1 module · ');
  expect(shortSummary({ ...usage, places: 0, modules: 0 })[0]).toBe('');
});

const kept = new WeakMap<object, object>();
beforeEach(() => Reflect.set(globalThis, '__PAGESIDE__', { react: { props: kept } }));
afterEach(() => {
  Reflect.deleteProperty(globalThis, '__PAGESIDE__');
  document.body.replaceChildren();
});

interface Owner {
  type: () => void;
  memoizedProps: object;
  _debugOwner?: Owner;
}

/** Props as the plugin's JSX runtime keeps them, from a line of a file. */
function from(fileName: string, lineNumber: number): object {
  const props = {};
  kept.set(props, { source: { fileName, lineNumber, columnNumber: 5 }, order: 1 });
  return props;
}

function rendered(place: object, owner: Owner, parent: ParentNode = document.body): Element {
  const element = document.createElement('button');
  const fiber = { memoizedProps: place, _debugOwner: owner };
  Object.assign(element, { __reactFiber$abc: fiber });
  parent.append(element);
  return element;
}

const COMPONENTS: Record<string, string> = { '/Card.tsx': 'Card', '/Page.tsx': 'Page' };
const resolve = async (places: (Place | null)[]): Promise<(Resolved | null)[]> =>
  places.map((place) => {
    const { file = '', line = 0, column = 0 } = place ?? {};
    const component = COMPONENTS[file] ?? null;
    const isLibrary = file.includes('node_modules');
    return { file, line, column, component, package: isLibrary ? 'ui' : null, exact: true };
  });
const located = { file: '/Card.tsx', line: 3, column: 5, component: 'Card' } as SourceLocation;
const reach: Reach = {
  counted: true,
  places: 2,
  modules: 1,
  importers: 1,
  importedBy: ['/Page.tsx'],
};

const App: Owner = { type: function App() {}, memoizedProps: from('/main.tsx', 9) };
const Page: Owner = {
  type: function Page() {},
  memoizedProps: from('/App.tsx', 4),
  _debugOwner: App,
};
const Card: Owner = {
  type: function Card() {},
  memoizedProps: from('/Page.tsx', 7),
  _debugOwner: Page,
};

test('elements of the same place are counted, in shadow roots too, and the use outside is named', async () => {
  const host = document.createElement('div');
  document.body.append(host);
  const picked = rendered(from('/Card.tsx', 3), Card);
  rendered(from('/Card.tsx', 3), Card, host.attachShadow({ mode: 'open' }));
  rendered(from('/Card.tsx', 8), Card);
  const { usage } = await createUsage(resolve, async () => reach)(picked, located);
  expect(usage).toEqual({
    instances: 2,
    places: 2,
    modules: 1,
    site: { file: '/Page.tsx', line: 7, column: 5 },
    importedBy: ['/Page.tsx'],
    summary:
      'Shared by 2 places in 1 module, 2 elements on this page; the usage site is /Page.tsx:7.',
  });
});

test('a call site within the same component is not the use, nor one of a package', async () => {
  const List: Owner = {
    type: function List() {},
    memoizedProps: from('/Card.tsx', 20),
    _debugOwner: {
      type: function Slot() {},
      memoizedProps: from('/node_modules/ui/a.js', 1),
      _debugOwner: Card,
    },
  };
  const picked = rendered(from('/Card.tsx', 3), List);
  const { usage } = await createUsage(resolve, async () => reach)(picked, located);
  expect(usage?.site).toEqual({ file: '/Page.tsx', line: 7, column: 5 });
});

test('of a package’s element those with the same call site count', async () => {
  const Switch = (line: number): Owner => ({
    type: function Switch() {},
    memoizedProps: from('/Card.tsx', line),
    _debugOwner: Card,
  });
  const own = () => from('/node_modules/ui/switch.js', 2);
  const picked = rendered(own(), Switch(3));
  rendered(own(), Switch(3));
  rendered(own(), Switch(6));
  const { usage } = await createUsage(resolve, async () => reach)(picked, located);
  expect(usage).toMatchObject({ instances: 2, site: { file: '/Page.tsx' } });
});

test('without an answer of the dev server the page tells what it knows', async () => {
  const picked = rendered(from('/Card.tsx', 3), Card);
  const unanswered = () => Promise.reject(new Error('offline'));
  const { usage } = await createUsage(resolve, unanswered)(picked, located);
  expect(usage).toMatchObject({ instances: 1, places: 0, importedBy: [] });
  expect(await createUsage(resolve, unanswered)(picked, { ...located, file: '' })).toEqual({});
});
