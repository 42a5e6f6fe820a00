import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import vue from '@vitejs/plugin-vue';
import type { Plugin, PluginOption } from 'vite';
import { expect, test } from 'vitest';
import { versionOf } from '../src/source/versions.ts';
import { resolve } from './support/example.ts';
import { type App, createApp, type Dev, startDev, withoutCompanion } from './support/server.ts';

const SHAPES = `<script setup lang="ts" generic="Row extends { id: string }">
import { ref } from 'vue';
import { Chart } from './chart.ts';
import Child from './Child.vue';
defineProps<{ rows: Row[] }>();
const tag = ref('b');
</script>

<template>
  <!-- Two roots. -->
  <h1 v-once id="title">Shapes</h1>
  <main v-bind="{ id: 'main' }" class="last">
    <p v-if="rows.length > 3" :key="1">many</p>
    <p v-else-if="rows.length"><i>few</i></p>
    <p v-else>none</p>
    <li v-for="row in rows" :key="row.id" v-memo="[row.id]"><b>{{ row.id }}</b></li>
    <template v-for="row in rows" :key="row.id"><dt>a</dt><dd>b</dd></template>
    <Child :ref="() => {}" class="given"><em>default</em></Child>
    <child>
      <template #named="{ value }"><strong v-text="value" /></template>
      <template #[tag]><u>dynamic</u></template>
    </child>
    <component :is="tag"><s>inside</s></component>
    <div v-html="tag"></div>
    <svg viewBox="0 0 1 1"><linearGradient id="g" /><g><path d="M0 0" /></g></svg>
    <Teleport to="body"><aside v-show="tag"></aside></Teleport>
    <Transition><KeepAlive><component :is="Child" /></KeepAlive></Transition>
    <TransitionGroup tag="ol"><input v-model="tag" key="a" /></TransitionGroup>
    <Suspense><Chart /><template #fallback><q>wait</q></template></Suspense>
    <slot><small>fallback</small></slot>
    <my-element .value="tag"></my-element>
    <ul>
${Array.from({ length: 40 }, (_, n) => `      <li class="static"><a href="#${n}">${n}</a></li>`).join('\n')}
    </ul>
  </main>
</template>
`;

const CHILD = `<template><p class="child"><slot /><slot name="named" value="1" /></p></template>\n`;
const CHART = `import { h } from 'vue';\nexport const Chart = () => h('canvas');\n`;

const VUE = path.resolve(import.meta.dirname, '../../node_modules/vue');

function appWith(files: Record<string, string>): App {
  return createApp({ 'chart.ts': CHART, 'Child.vue': CHILD, ...files });
}

function start(
  app: App,
  options: { vue?: boolean } = {},
  plugin: PluginOption = vue(),
): Promise<Dev> {
  const config = { plugins: [plugin], resolve: { alias: { vue: VUE } } };
  return startDev(app.root, { ...withoutCompanion(app), ...options }, config);
}

/** The places in served code: file:line:column. */
async function placesIn(dev: Dev, url: string): Promise<string[]> {
  const code = (await dev.server.environments.client.transformRequest(url))?.code ?? '';
  return [...code.matchAll(/ref_key"?: (?:Symbol\.for\()?"([^"]+):\d{13}"/g)].map(
    ([, place = '']) => place,
  );
}

/** Where the start tags stand that become elements or components. */
function tagsOf(file: string, text: string): string[] {
  const template = text.indexOf('<template>');
  return [...text.matchAll(/<(?!template\b|slot\b|script\b|!--)[a-zA-Z][\w-]*/g)]
    .filter(({ index }) => index > template)
    .map(({ index }) => {
      const before = text.slice(0, index).split('\n');
      return `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
    });
}

test('every tag that becomes an element or a component keeps its place, static ones too', async () => {
  const dev = await start(appWith({ 'Shapes.vue': SHAPES }));
  const places = await placesIn(dev, '/Shapes.vue');
  expect(new Set(places)).toEqual(new Set(tagsOf('Shapes.vue', SHAPES)));
  expect(places).toHaveLength(new Set(places).size);
});

test('code for the server stays as it is', async () => {
  const app = appWith({ 'Shapes.vue': SHAPES });
  const [on, off] = [await start(app), await start(app, { vue: false })];
  const codes = [on, off].map(({ server }) =>
    server.environments.ssr.transformRequest('/Shapes.vue'),
  );
  const [withPlugin, without] = await Promise.all(codes);
  expect(withPlugin?.code).toBe(without?.code);
  expect(withPlugin?.code).toContain('ssrRender');
  expect(await placesIn(off, '/Shapes.vue')).toEqual([]);
});

test('a template in a file of its own has that file’s places', async () => {
  const html = '\n<p>\n  <b>outside</b></p>\n';
  const component = '<template src="./ext.html"></template>\n';
  const dev = await start(appWith({ 'Ext.vue': component, 'ext.html': html }));
  const main = await dev.server.environments.client.transformRequest('/Ext.vue');
  const [, template = ''] = /from "([^"]+type=template[^"]*)"/.exec(main?.code ?? '') ?? [];
  expect(await placesIn(dev, template)).toEqual(['ext.html:2:1', 'ext.html:3:3']);
});

test('a template in another language has none: the compiler sees generated HTML', async () => {
  const render = (_: string, __: object, done: (error: null, html: string) => void) =>
    done(null, '<p><b>made</b></p>');
  const plugin = vue({ template: { preprocessCustomRequire: () => ({ render }) } });
  const component = '<template lang="pug">\np\n  b made\n</template>\n';
  const dev = await start(appWith({ 'Pug.vue': component }), {}, plugin);
  const code = await dev.server.environments.client.transformRequest('/Pug.vue');
  expect(code?.code).toBeDefined();
  expect(await placesIn(dev, '/Pug.vue')).toEqual([]);
});

test('the server finds a place again after an edit above, and says so when the place itself was edited', async () => {
  const app = appWith({ 'Shapes.vue': SHAPES });
  const dev = await start(app);
  const line = SHAPES.split('\n').findIndex((text) => text.includes('<h1')) + 1;
  expect(await placesIn(dev, '/Shapes.vue')).toContain(`Shapes.vue:${line}:3`);
  const place = { file: 'Shapes.vue', line, column: 3, tag: 'h1', version: versionOf(SHAPES) };
  const file = path.join(app.root, 'Shapes.vue');
  writeFileSync(file, `<!-- one -->\n\n${readFileSync(file, 'utf8')}`);
  expect(await resolve(dev, [place])).toMatchObject([
    { line: line + 2, column: 3, component: 'Shapes', exact: true },
  ]);
  writeFileSync(file, readFileSync(file, 'utf8').replace('<h1 ', '<h1 class="new" '));
  expect(await resolve(dev, [place])).toMatchObject([
    { exact: false, reason: expect.stringContaining('changed') },
  ]);
  expect(await resolve(dev, [{ ...place, version: '0000000000000' }])).toMatchObject([
    { exact: false },
  ]);
});

test.each([
  ["import { Chart } from './chart.ts';", '<Chart />', false, /code in chart\.ts/],
  ["import { VueFlow as TheFlow } from 'vue';", '<the-flow />', true, undefined],
  ["import { X } from 'vue';", '<RouterLink />', true, undefined],
  ['', '<TransitionGroup />', true, undefined],
])('%s %s is taken for what it makes: %s', async (imports, tag, exact, reason) => {
  const component = `<script setup>${imports}</script>\n<template>${tag}</template>\n`;
  const dev = await start(appWith({ 'Use.vue': component }));
  const place = { file: 'Use.vue', line: 2, column: 11, tag: 'Anything', opaque: true };
  const [found] = await resolve(dev, [place]);
  expect(found).toMatchObject({ component: 'Use', line: 2, column: 11, exact });
  if (reason) expect(found?.reason).toMatch(reason);
});

test.each([
  [
    "import { Chart } from './chart.ts'; app.component('TheChart', Chart);",
    'the-chart',
    /in chart\.ts/,
  ],
  ["const Own = () => h('p'); app.component('own-tip', Own);", 'OwnTip', /in main\.ts/],
  ["import { Flow } from 'vue'; app.component('TheFlow', Flow);", 'the-flow', undefined],
  ["app.component('Other', Other);", 'RouterLink', undefined],
])('a component registered by %s and used as <%s> is told so', async (main, tag, reason) => {
  const component = `<script setup></script>\n<template><${tag} /></template>\n`;
  const dev = await start(appWith({ 'Use.vue': component, 'main.ts': main }));
  await dev.server.environments.client.transformRequest('/main.ts');
  const place = { file: 'Use.vue', line: 2, column: 11, tag: 'Anything', opaque: true };
  const [found] = await resolve(dev, [place]);
  expect(found).toMatchObject({ line: 2, column: 11, exact: reason === undefined });
  if (reason) expect(found?.reason).toMatch(reason);
});

test('a component that a plugin lets a file import is told by the file that makes it', async () => {
  const added: Plugin = {
    name: 'added',
    enforce: 'post',
    transform: (code, id) => (id.endsWith('Use.vue') ? `import './BaseTip.ts';${code}` : undefined),
  };
  const component = '<script setup></script>\n<template><BaseTip /></template>\n';
  const files = { 'Use.vue': component, 'BaseTip.ts': 'export default {};' };
  const dev = await start(appWith(files), {}, [vue(), added]);
  await dev.server.environments.client.transformRequest('/Use.vue');
  const place = { file: 'Use.vue', line: 2, column: 11, tag: 'Anything', opaque: true };
  expect(await resolve(dev, [place])).toMatchObject([
    {
      exact: false,
      reason: expect.stringContaining('code in BaseTip.ts makes the element'),
    },
  ]);
});

test('of a component that is known by its file alone, only the file is told', async () => {
  const app = appWith({});
  const dev = await start(app);
  const place = { file: path.join(app.root, 'Child.vue'), tag: 'p' };
  expect(await resolve(dev, [place])).toMatchObject([
    {
      line: 1,
      column: 1,
      component: 'Child',
      exact: false,
      reason: expect.stringContaining('Only the file'),
    },
  ]);
});
