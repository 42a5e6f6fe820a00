import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import preact from '@preact/preset-vite';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import react from '@vitejs/plugin-react';
import vue from '@vitejs/plugin-vue';
import { build, type PluginOption } from 'vite';
import solid from 'vite-plugin-solid';
import { expect, onTestFinished, test } from 'vitest';
import { pageside } from '../src/index.ts';

const none = (): PluginOption => [];

test.each([
  ['vite-react', 'production', react],
  ['vite-react', 'development', react],
  ['vite-react18', 'production', react],
  ['vite-vue', 'production', vue],
  ['vite-vue', 'development', vue],
  ['vite-svelte', 'production', svelte],
  ['vite-svelte', 'development', svelte],
  ['vite-preact', 'production', preact],
  ['vite-preact', 'development', preact],
  ['vite-solid', 'production', solid],
  ['vite-solid', 'development', solid],
  ['vite-lit', 'production', none],
  ['vite-vanilla', 'production', none],
] as [string, string, () => PluginOption][])(
  'vite build of %s in mode %s writes the same bytes with and without the plugin',
  async (example, mode, framework) => {
    const without = await filesOf(example, mode, [framework()]);
    const withPlugin = await filesOf(example, mode, [framework(), pageside({ enabled: true })]);
    expect(Object.keys(without).some((name) => name.endsWith('.js'))).toBe(true);
    expect(withPlugin).toEqual(without);
  },
);

/** Every built file with the hash of its bytes. */
async function filesOf(example: string, mode: string, plugins: PluginOption[]) {
  const outDir = mkdtempSync(path.join(tmpdir(), 'pageside-build-'));
  onTestFinished(() => rmSync(outDir, { recursive: true }));
  const root = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url));
  await build({
    root,
    mode,
    configFile: false,
    logLevel: 'silent',
    plugins,
    build: { outDir, emptyOutDir: true, sourcemap: true },
  });
  const names = readdirSync(outDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    names.map((name) => [
      path.relative(outDir, name),
      createHash('sha256').update(readFileSync(name)).digest('hex'),
    ]),
  );
}
