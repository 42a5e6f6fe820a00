import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { EnvironmentModuleNode, Plugin } from 'vite';
import { expect, test } from 'vitest';
import { versionOf } from '../src/source/versions.ts';
import { resolve } from './support/example.ts';
import { createApp, startDev, withoutCompanion } from './support/server.ts';

const CARD = `<script>
  let { name } = $props();
</script>

<p class="card">{name}</p>

<style>
  p { margin: 0 }
</style>
`;

async function start(...more: Plugin[]) {
  const app = createApp({ 'Card.svelte': CARD });
  mkdirSync(path.join(app.root, 'node_modules'));
  symlinkSync(
    path.resolve(import.meta.dirname, '../../node_modules/svelte'),
    path.join(app.root, 'node_modules/svelte'),
  );
  const plugins = [svelte({ configFile: false }), more];
  const dev = await startDev(app.root, withoutCompanion(app), { plugins });
  const { client, ssr } = dev.server.environments;
  const code = async (environment = client) =>
    (await environment.transformRequest('/Card.svelte'))?.code ?? '';
  return { dev, code, ssr, file: path.join(app.root, 'Card.svelte') };
}

test('a component tells which text its places count in, in code for the browser only', async () => {
  const { code, ssr, file } = await start();
  const told = `["${file}"] = "?t=${versionOf(CARD)}"`;
  expect(await code()).toContain(`((globalThis.__PAGESIDE__ ??= {}).svelte ??= {})${told};`);
  expect(await code(ssr)).not.toContain('__PAGESIDE__');
});

test('a component that moved in its file is not sent again, and found where it is now', async () => {
  let updated: (modules: EnvironmentModuleNode[]) => void = () => {};
  const affected = new Promise<EnvironmentModuleNode[]>((done) => {
    updated = done;
  });
  const last: Plugin = {
    name: 'last',
    enforce: 'post',
    hotUpdate: {
      order: 'post',
      handler({ modules }) {
        if (this.environment.name === 'client') updated(modules);
      },
    },
  };
  const { dev, code, file } = await start(last);
  const before = await code();
  writeFileSync(file, `<!-- above -->\n${CARD}`);
  // Its style sheet may be: that costs nothing.
  expect((await affected).map(({ url }) => url)).not.toContain('/Card.svelte');
  expect(await code()).not.toBe(before);
  const place = { file, line: 5, column: 1, tag: 'p', version: versionOf(CARD) };
  expect(await resolve(dev, [place])).toMatchObject([{ line: 6, component: 'Card', exact: true }]);
});
