import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { elementsOf, resolve, startExample } from './support/example.ts';
import { jsxCalls } from './support/jsx-calls.ts';
import { createApp, startDev, until, withoutCompanion } from './support/server.ts';

/** Where a piece of JSX stands in a source file, 1-based. */
function find(root: string, file: string, marker: string) {
  const before = readFileSync(path.join(root, file), 'utf8').split(marker);
  expect(before, `${marker} stands once in ${file}`).toHaveLength(2);
  const lines = (before[0] ?? '').split('\n');
  return { file, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

type Shape = [what: string, file: string, marker: string, tag: string, component: string];

const REACT: Shape[] = [
  ['a list in map()', 'src/App.tsx', '<DishCard', 'DishCard', 'App'],
  ['rows of a nested map()', 'src/components/Table.tsx', '<td ', 'td', 'Table'],
  ['a conditional with &&', 'src/App.tsx', '<div className="empty"', 'div', 'App'],
  [
    'a conditional with ?:',
    'src/components/DishCard.tsx',
    '<span className="tag"',
    'span',
    'DishCard',
  ],
  ['children', 'src/App.tsx', '<SearchField', 'SearchField', 'App'],
  ['a slot', 'src/App.tsx', '<span className="tag"', 'span', 'App'],
  ['a fragment in a slot', 'src/App.tsx', '<strong>{euros(total)}', 'strong', 'App'],
  ['a render prop', 'src/App.tsx', '<span className="choice"', 'span', 'App'],
  ['memo', 'src/components/DishCard.tsx', '<article', 'article', 'DishCard'],
  ['forwardRef', 'src/components/SearchField.tsx', '<input', 'input', 'SearchField'],
  ['a generic component', 'src/components/Poll.tsx', '<li ', 'li', 'Poll'],
  [
    'a spread',
    'src/components/icons.tsx',
    '<svg aria-hidden="true" {...line} className="leaf"',
    'svg',
    'Leaf',
  ],
  ['an svg’s child', 'src/components/Sparkline.tsx', '<polyline', 'polyline', 'Sparkline'],
  [
    'the call site of a library’s component',
    'src/components/VegetarianSwitch.tsx',
    '<Switch.Root',
    'Switch.Root',
    'VegetarianSwitch',
  ],
];

const REACT_18: Shape[] = [
  ['a list in map()', 'src/App.tsx', '<li ', 'li', 'App'],
  ['a conditional', 'src/App.tsx', '<p className="empty"', 'p', 'App'],
  ['children', 'src/App.tsx', '<a ', 'a', 'App'],
  ['memo', 'src/App.tsx', '<span', 'span', 'Badge'],
  ['forwardRef', 'src/App.tsx', '<input', 'input', 'SearchField'],
  ['a generic component', 'src/App.tsx', '<ul>', 'ul', 'List'],
  ['an svg', 'src/App.tsx', '<path', 'path', 'Tick'],
];

describe.each([
  ['vite-react', REACT],
  ['vite-react18', REACT_18],
])('in the example %s', (example, shapes) => {
  test('every shape is found at its exact place, with its component', async () => {
    const { dev, root } = await startExample(example);
    for (const [what, file, marker, tag, component] of shapes) {
      const expected = find(root, file, marker);
      const { line, column } = expected;
      const reported = (await elementsOf(dev, `/${file}`)).find(
        ({ source }) => source?.line === line && source.column === column,
      );
      expect(reported, `the runtime reports ${what}`).toMatchObject({ tag });
      const [place] = await resolve(dev, [
        { file: path.join(root, file), line, column, tag, via: 'jsxDEV' },
      ]);
      expect(place, what).toEqual({ ...expected, component, tag, package: null, exact: true });
    }
  });

  test('every element of every module: the runtime’s place and the mapped frame agree, and are exact', async () => {
    const { dev, root } = await startExample(example);
    for (const file of new Set(shapes.map(([, name]) => name))) {
      const url = new URL(file, dev.url).href;
      const elements = (await elementsOf(dev, `/${file}`)).filter(
        ({ tag }) => !tag.includes('Fragment'),
      );
      const told = elements.map(({ tag, source }) => ({
        file: path.join(root, file),
        ...source,
        tag,
      }));
      const mapped = elements.map(({ tag, frame }) => ({ frame: { ...frame, url }, tag }));
      const places = await resolve(dev, told);
      expect(places.length).toBeGreaterThan(0);
      for (const place of places) expect(place).toMatchObject({ file, exact: true, package: null });
      expect(await resolve(dev, mapped)).toEqual(places);
    }
  });

  test('after an edit above, old places are not called exact and the new ones are', async () => {
    const { dev, root } = await startExample(example);
    const file = 'src/App.tsx';
    const source = path.join(root, file);
    const [, , marker = '', tag] = shapes.find(([, name]) => name === file) ?? [];
    const old = find(root, file, marker);
    const before = await elementsOf(dev, `/${file}`);
    const text = readFileSync(source, 'utf8');
    writeFileSync(source, `// one\n// two\n// three\n${text}`);
    const elements = await until(async () => {
      const now = await elementsOf(dev, `/${file}?t=${Date.now()}`);
      return now[0]?.source?.line === before[0]?.source?.line ? null : now;
    });
    const now = find(root, file, marker);
    expect(now.line).toBe(old.line + 3);
    expect(
      elements.some(({ source: at }) => at?.line === now.line && at.column === now.column),
    ).toBe(true);
    const [stale, fresh] = await resolve(dev, [
      { ...old, file: source, tag },
      { ...now, file: source, tag },
    ]);
    expect(stale).toMatchObject({ exact: false, reason: expect.stringMatching(/The source has/) });
    expect(fresh).toMatchObject({ ...now, exact: true });
  });
});

test('an element that a library makes lies in its package', async () => {
  const { dev } = await startExample('vite-react');
  const served = await (await dev.fetch('/src/components/VegetarianSwitch.tsx')).text();
  const url = new URL(/"([^"]*react-switch\.js[^"]*)"/.exec(served)?.[1] ?? '', dev.url).href;
  const [made] = jsxCalls(await (await dev.fetch(url)).text(), /\bjsxs?\b/).filter(({ tag }) =>
    tag.includes('Primitive'),
  );
  const [place] = await resolve(dev, [{ frame: { ...made?.frame, url }, tag: 'button' }]);
  expect(place).toMatchObject({
    package: expect.stringMatching(/^@radix-ui\//),
    file: expect.stringContaining('node_modules/'),
    exact: false,
    component: null,
  });
});

test('React’s runtime is wrapped for the browser, not for the server', async () => {
  const { dev } = await startExample('vite-react');
  const client = await dev.server.environments.client.transformRequest('/src/App.tsx');
  const server = await dev.server.environments.ssr.transformRequest('/src/App.tsx');
  expect(client?.code).toContain('pageside:react-jsx-dev-runtime.js');
  expect(server?.code).toContain('jsx-dev-runtime');
  expect(server?.code).not.toContain('pageside:react');
});

test.each(['vite-react', 'vite-react18'])(
  'in %s the wrapped runtime makes React’s own elements, and keeps their sources by their props',
  async (example) => {
    const { dev, root } = await startExample(example);
    const id = '\0pageside:react-jsx-dev-runtime.js';
    const loaded = await dev.server.environments.client.pluginContainer.load(id);
    const file = path.join(root, 'runtime.mjs');
    writeFileSync(file, typeof loaded === 'string' ? loaded : (loaded?.code ?? ''));
    const { jsxDEV } = await import(pathToFileURL(file).href);
    const source = { fileName: '/app/App.tsx', lineNumber: 3, columnNumber: 5 };
    const element = jsxDEV('p', { id: 'a' }, 'key', false, source);
    const plain = jsxDEV('b', {}, undefined, false);
    expect(element).toMatchObject({ type: 'p', key: 'key', props: { id: 'a' } });
    expect(element.$$typeof).toBeTypeOf('symbol');
    const { react } = (globalThis as unknown as Page).__PAGESIDE__;
    expect(react.props.get(element.props)).toMatchObject({ source, order: 1 });
    expect(react.props.has(plain.props)).toBe(false);
  },
);

interface Page {
  __PAGESIDE__: { react: { props: WeakMap<object, { source: object; order: number }> } };
}

describe('the resolver', () => {
  test.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no places', '{}'],
    ['too many places', JSON.stringify({ places: Array(501).fill({}) })],
  ])('refuses %s', async (_, body) => {
    const app = createApp();
    const dev = await startDev(app.root, withoutCompanion(app));
    const headers = { 'content-type': 'application/json' };
    const answer = await dev.fetch('/__pageside__/resolve', { method: 'POST', headers, body });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'BAD_REQUEST' } });
  });

  test('answers null for what it cannot know, in the order of the questions', async () => {
    const app = createApp({ 'App.jsx': 'export const App = () => <main />;' });
    const dev = await startDev(app.root, withoutCompanion(app));
    const frame = { url: `${dev.url}none.js`, line: 1, column: 1 };
    const places = await resolve(dev, [
      {},
      null as unknown as object,
      { frame },
      { frame: { url: 'about:blank', line: 1, column: 1 } },
      { file: 'App.jsx', line: 1, column: 26, tag: 'main' },
    ]);
    expect(places.slice(0, 4)).toEqual([null, null, null, null]);
    expect(places[4]).toMatchObject({ file: 'App.jsx', component: 'App', exact: true });
  });

  test.each([
    [1, 26, 'section', 'The source has <main> here, not <section>.'],
    [1, 1, 'section', 'The source has no such tag here (any more).'],
    [99, 1, 'main', 'The source has no such tag here (any more).'],
  ])('at %i:%i with <%s> says why it is not exact', async (line, column, tag, reason) => {
    const app = createApp({ 'App.jsx': 'export const App = () => <main />;' });
    const dev = await startDev(app.root, withoutCompanion(app));
    const [place] = await resolve(dev, [
      { file: path.join(app.root, 'App.jsx'), line, column, tag },
    ]);
    expect(place).toMatchObject({ exact: false, reason });
  });

  test('reads no file outside the project and server.fs.allow', async () => {
    const secret = createApp({ 'Secret.jsx': 'export const Secret = () => <main />;' });
    const app = createApp();
    const dev = await startDev(app.root, withoutCompanion(app));
    const file = path.join(secret.root, 'Secret.jsx');
    const [place] = await resolve(dev, [{ file, line: 1, column: 29, tag: 'main' }]);
    expect(place).toMatchObject({
      exact: false,
      component: null,
      reason: 'The source file cannot be read.',
    });
  });
});
