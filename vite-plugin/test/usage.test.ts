import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { chainOf } from '../src/source/importers.ts';
import { readShape } from '../src/source/shape.ts';
import { findUses } from '../src/source/uses.ts';
import { startExample } from './support/example.ts';
import { createApp, type Dev, startDev, withoutCompanion } from './support/server.ts';

/** Counts the uses of a component of `/Card.tsx` in files that import each other by relative names. */
async function uses(
  files: Record<string, string>,
  component: string | null = 'Card',
  of = '/Card.tsx',
) {
  const shapes = new Map(
    Object.entries(files).map(([file, text]) => [file, readShape(text, file)]),
  );
  const resolve = (specifier: string, importer: string) => {
    const base = path.posix.resolve(path.posix.dirname(importer), specifier);
    const found = ['', '.tsx', '.ts', '/index.ts'].map((end) => base + end);
    return found.find((file) => shapes.has(file)) ?? null;
  };
  const imports = (file: string, target: string) => {
    const { imports, forwards } = readShape(files[file] ?? '', file);
    return [...imports, ...forwards].some(({ specifier }) => resolve(specifier, file) === target);
  };
  const found = await findUses(
    {
      shapeOf: (file) => shapes.get(file) ?? null,
      importersOf: (target) => [...shapes.keys()].filter((file) => imports(file, target)),
      resolve: async (specifier, importer) => resolve(specifier, importer),
    },
    of,
    component,
  );
  return Object.fromEntries(found);
}

const NAMED = 'export function Card() { return <article/>; }';
const DEFAULT = 'export default function Card() { return <article/>; }';

describe('uses are counted', () => {
  test.each<[string, string, string, number]>([
    ['a named import', NAMED, "import { Card } from './Card'; <><Card/><Card>x</Card></>;", 2],
    ['an alias', NAMED, "import { Card as Tile } from './Card'; <Tile/>;", 1],
    ['a default import', DEFAULT, "import Anything from './Card'; <Anything/>;", 1],
    ['a default among others', DEFAULT, "import Tile, { type Props } from './Card'; <Tile/>;", 1],
    ['a namespace', NAMED, "import * as UI from './Card'; <><UI.Card/><UI.Other/></>;", 1],
    ['createElement', NAMED, "import { Card } from './Card'; createElement(Card, null);", 1],
    ['a wrapped import', NAMED, "import { Card } from './Card'; const T = memo(Card); <T/>;", 1],
    ['lazy', DEFAULT, "const Card = lazy(() => import('./Card')); <Card/>;", 1],
    [
      'lazy of a named export',
      NAMED,
      "const T = lazy(() => import('./Card').then((m) => ({ default: m.Card }))); <T/>;",
      1,
    ],
    [
      "a route's import()",
      DEFAULT,
      "const routes = [{ path: '/', lazy: () => import('./Card') }];",
      1,
    ],
    [
      'memo',
      'const Card = memo(() => <b/>); export { Card };',
      "import { Card } from './Card'; <Card/>;",
      1,
    ],
    [
      'forwardRef with an inner name',
      'export const Field = forwardRef(function Card(p, ref) { return <input/>; });',
      "import { Field } from './Card'; <Field/>;",
      1,
    ],
    [
      'a default export of a wrapped function',
      'export default observer(function Card() { return <b/>; });',
      "import C from './Card'; <C/>;",
      1,
    ],
    [
      'an export under another name',
      'function Card() { return <b/>; } export { Card as Tile };',
      "import { Tile } from './Card'; <Tile/>;",
      1,
    ],
    [
      'a class',
      'export class Card extends Component {}',
      "import { Card } from './Card'; <Card/>;",
      1,
    ],
    ['a namesake from elsewhere', NAMED, "import { Card } from './Other'; <Card/>;", 0],
    ['another export', NAMED, "import { Other } from './Card'; <Other/>;", 0],
    ['an import that is not used', NAMED, "import { Card } from './Card'; export const a = 1;", 0],
    [
      'a name in a text or comment',
      NAMED,
      "import { Card } from './Card'; // <Card/>\n'<Card/>';",
      0,
    ],
  ])('%s', async (_, card, page, count) => {
    const found = await uses({ '/Card.tsx': card, '/Page.tsx': page, '/Other.tsx': NAMED });
    expect(found).toEqual(count ? { '/Page.tsx': count } : {});
  });

  test('within the same file, and nested components too', async () => {
    const file =
      'function Row() { return <li/>; } export const List = () => <ul><Row/><Row/></ul>;';
    expect(await uses({ '/Card.tsx': file }, 'Row')).toEqual({ '/Card.tsx': 2 });
  });

  test.each<[string, string]>([
    ['export … from', "export { Card } from './Card';"],
    ['export *', "export * from './Card';"],
    ['import, then export', "import { Card } from './Card'; export { Card };"],
    ['an alias on the way and back', "export { Card as Tile, Card } from './Card';"],
  ])('through a barrel: %s', async (_, barrel) => {
    const page = "import { Card } from './ui'; <Card/>;";
    const files = { '/Card.tsx': NAMED, '/ui/index.ts': '', '/Page.tsx': page };
    const found = await uses({ ...files, '/ui.ts': barrel });
    expect(found).toEqual({ '/Page.tsx': 1 });
  });

  test('through barrels that import each other, once', async () => {
    const found = await uses({
      '/Card.tsx': NAMED,
      '/a.ts': "export * from './Card'; export * from './b';",
      '/b.ts': "export * from './a';",
      '/One.tsx': "import { Card } from './a'; <Card/>;",
      '/Two.tsx': "import { Card } from './b'; <><Card/><Card/></>;",
    });
    expect(found).toEqual({ '/One.tsx': 1, '/Two.tsx': 2 });
  });

  test('a wrapper that is exported leads further', async () => {
    const found = await uses({
      '/Card.tsx': NAMED,
      '/Fancy.tsx': "import { Card } from './Card'; export default observer(Card);",
      '/Page.tsx': "import Fancy from './Fancy'; <Fancy/>;",
    });
    expect(found).toEqual({ '/Page.tsx': 1 });
  });

  test('in Vue templates, in either spelling, but no native tag', async () => {
    const vue = `<script setup lang="ts">
import DishCard from './DishCard.vue';
import Button from './DishCard.vue';
</script>
<template><!-- <DishCard/> --><DishCard /><dish-card></dish-card><button>x</button>
<component :is="DishCard" /></template><style>a { color: red }</style>`;
    const files = { '/DishCard.vue': '<template><li/></template>', '/App.vue': vue };
    expect(await uses(files, null, '/DishCard.vue')).toEqual({ '/App.vue': 3 });
  });

  test('in Svelte and Astro files, and by mount()', async () => {
    const found = await uses(
      {
        '/Row.svelte': '<li>row</li>',
        '/App.svelte':
          "<script>import Row from './Row.svelte'; let a = 1 < 2;</script>{#each rows as row}<Row {row} />{/each}",
        '/main.ts': "import Row from './Row.svelte'; mount(Row, { target });",
        '/page.astro':
          "---\nimport Row from './Row.svelte';\n---\n<main><Row client:load /></main>",
      },
      null,
      '/Row.svelte',
    );
    expect(found).toEqual({ '/App.svelte': 1, '/main.ts': 1, '/page.astro': 1 });
  });
});

describe('the chain up to the entry', () => {
  const graph: Record<string, string[]> = {
    card: ['list', 'page', 'self'],
    self: ['card'],
    list: ['page'],
    page: ['main', 'admin'],
  };
  test('goes by nearness, with all entries last, and ends in cycles', () => {
    const chain = chainOf('card', (file) => graph[file] ?? [], 20);
    expect(chain).toEqual(['list', 'page', 'self', 'main', 'admin']);
  });
  test('keeps the entries when it is cut', () => {
    expect(chainOf('card', (file) => graph[file] ?? [], 3)).toEqual(['list', 'main', 'admin']);
  });
});

async function reach(dev: Dev, file: string, component?: string) {
  const answer = await dev.fetch('/__pageside__/usage', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ file, component, line: 1, column: 1 }),
  });
  return (await answer.json()) as unknown;
}

async function load(dev: Dev, ...modules: string[]) {
  for (const module of modules) await dev.server.environments.client.transformRequest(module);
}

test('in a real app the places, the modules and the importers are those of the module graph', async () => {
  const { dev } = await startExample('vite-react');
  const client = dev.server.environments.client;
  for (const module of [
    'main',
    'App',
    'components/DishCard',
    'components/Panel',
    'components/Stat',
  ])
    await client.transformRequest(`/src/${module}.tsx`);
  expect(await reach(dev, 'src/components/Stat.tsx', 'Stat')).toEqual({
    counted: true,
    places: 3,
    modules: 1,
    importers: 1,
    importedBy: ['src/App.tsx', 'src/main.tsx'],
  });
  expect(await reach(dev, 'src/App.tsx', 'App')).toMatchObject({
    places: 1,
    importedBy: ['src/main.tsx'],
  });
  expect(await reach(dev, 'src/menu.ts')).toMatchObject({ counted: false, places: 0 });
});

test('styles, aliases, cycles and several entries', async () => {
  const app = createApp();
  const write = (name: string, text: string) => {
    const file = path.join(app.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('src/ui/Card.js', "import './card.css'; import '../a.js'; export const Card = () => null;");
  write('src/ui/card.css', 'a { color: red }');
  write('src/ui/index.js', "export * from './Card.js';");
  write('src/a.js', "import { Card as C } from '@/ui'; h(C); h(C, {});");
  write('src/b.js', "import * as ui from './ui/index.js'; h(ui.Card);");
  write('main.js', "import './src/a.js';");
  write('other.js', "import './src/a.js'; import './src/b.js';");
  const dev = await startDev(app.root, withoutCompanion(app), {
    resolve: { alias: { '@': path.join(app.root, 'src') } },
  });
  await load(dev, '/main.js', '/other.js', '/src/a.js', '/src/b.js');
  await load(dev, '/src/ui/index.js', '/src/ui/Card.js');
  expect(await reach(dev, 'src/ui/Card.js', 'Card')).toEqual({
    counted: true,
    places: 3,
    modules: 2,
    importers: 1,
    importedBy: ['src/ui/index.js', 'src/a.js', 'src/b.js', 'main.js', 'other.js'],
  });
});

test('a custom element is counted by its tag, wherever it stands', async () => {
  const app = createApp({
    'index.html': '<!doctype html><x-card></x-card><script type="module" src="/main.js"></script>',
    'card.js': "class Card extends HTMLElement {} customElements.define('x-card', Card);",
    'main.js':
      "import './card.js'; document.body.innerHTML = `<x-card></x-card><x-cards></x-cards>`;",
  });
  const dev = await startDev(app.root, withoutCompanion(app));
  await load(dev, '/main.js', '/card.js');
  expect(await reach(dev, 'card.js', 'Card')).toMatchObject({ places: 2, modules: 2 });
});

test('a file outside the project has no answer', async () => {
  const app = createApp();
  const dev = await startDev(app.root, withoutCompanion(app));
  expect(await reach(dev, '/etc/hostname')).toMatchObject({ error: { code: 'FORBIDDEN' } });
  expect(await reach(dev, 'gone.tsx')).toMatchObject({ error: { code: 'NOT_FOUND' } });
});
