import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { companionOf } from './support/companion.ts';
import {
  type App,
  createApp,
  type Dev,
  startDev,
  until,
  withFakeCompanion,
} from './support/server.ts';
import type { Told } from './support/tell.ts';

const FILES = {
  'index.html': '<!doctype html><script type="module" src="/main.ts"></script>',
  'main.ts':
    'import "./page.css"; import { a } from "./a.ts"; console.log(a); if (import.meta.hot) import.meta.hot.accept();',
  'a.ts': 'export const a = 1;',
  'page.css': 'a { color: red }',
  'notes.txt': 'not a module',
};

/** A dev server whose page was loaded once, with what its companion is told. */
async function start(files: Record<string, string> = {}) {
  const app = createApp({ ...FILES, ...files });
  const companion = companionOf(app);
  const dev = await startDev(app.root, withFakeCompanion(app));
  await companion.when(({ leases }) => leases.some(({ urls }) => urls.length > 0));
  for (const route of ['/', '/@vite/client', '/main.ts', '/a.ts', '/page.css?import'])
    await dev.fetch(route);
  const told = async (event: string, check: (told: Told) => boolean = () => true) =>
    until(async () =>
      (await companion.state()).told.find((each) => each.event === event && check(each)),
    );
  const events = async () =>
    (await companion.state()).told.map(({ event }) => event).filter((event) => event !== 'log');
  return { app, dev, told, events, companion };
}

const write = (app: App, name: string, text: string) =>
  writeFileSync(path.join(app.root, name), text);
const load = async (dev: Dev, route: string) => (await dev.fetch(route)).status;

test('a change and the update that is sent for it are told, with files below the project', async () => {
  const { app, told } = await start();
  write(app, 'a.ts', 'export const a = 2;');
  const change = await told('change');
  expect(change).toMatchObject({ file: 'a.ts', type: 'update', modules: ['/a.ts'] });
  const sent = await told('sent');
  expect(sent.stamp).toBeGreaterThan(1_700_000_000_000);
  expect(sent.updates).toEqual([
    { type: 'js-update', path: '/main.ts', acceptedPath: '/main.ts', file: 'main.ts' },
  ]);
  expect(change.lease).toBe(sent.lease);
});

test('new, deleted and foreign files are told as such, and a style as an update of its own', async () => {
  const { app, told } = await start();
  write(app, 'notes.txt', 'changed');
  expect(await told('change')).toMatchObject({ file: 'notes.txt', modules: [] });
  write(app, 'new.ts', 'export {}');
  expect(await told('change', ({ type }) => type === 'create')).toMatchObject({
    file: 'new.ts',
    modules: [],
  });
  rmSync(path.join(app.root, 'new.ts'));
  expect(await told('change', ({ type }) => type === 'delete')).toMatchObject({ file: 'new.ts' });
  write(app, 'page.css', 'a { color: blue }');
  const sent = await told('sent');
  expect(sent.updates).toMatchObject([{ path: '/page.css', file: 'page.css' }]);
});

test('a page that has to be reloaded is told with the file that is to blame', async () => {
  const { app, told } = await start();
  write(app, 'index.html', `${FILES['index.html']}<p>new</p>`);
  expect(await told('full-reload')).toMatchObject({ path: '/index.html', file: 'index.html' });
});

test('an error that a page meets is told once with its place, and when it is mended', async () => {
  const { app, dev, told, events } = await start();
  write(app, 'a.ts', 'export const a: number = 1;\n   const b = }\n');
  await told('sent');
  expect(await load(dev, '/a.ts?t=1')).toBe(500);
  const error = await told('error');
  expect(error).toMatchObject({
    message: 'Unexpected token',
    file: 'a.ts',
    line: 2,
    column: 14,
    plugin: 'vite:oxc',
  });
  expect(error.frame).toContain('const b = }');
  write(app, 'a.ts', 'export const a: number = 1;\n');
  await told('change', ({ ago }) => ago >= 0);
  await until(async () => (await events()).filter((event) => event === 'change').length === 2);
  expect(await load(dev, '/a.ts?t=2')).toBe(200);
  expect(await told('mended')).toMatchObject({ file: 'a.ts' });
  expect((await events()).filter((event) => event === 'error')).toHaveLength(1);
});

test('an import that does not exist is told at the file that imports it', async () => {
  const { app, dev, told } = await start();
  write(app, 'a.ts', 'import "./nope.ts"; export const a = 1;');
  await told('sent');
  await load(dev, '/a.ts?t=1');
  expect(await told('error')).toMatchObject({
    file: 'a.ts',
    line: 1,
    plugin: 'vite:import-analysis',
  });
});

test('what the dev server logs is told from its start on', async () => {
  const { dev, told } = await start();
  dev.server.config.logger.warn('\x1b[33mcareful\x1b[39m');
  expect(await told('log', ({ level }) => level === 'warn')).toMatchObject({ text: 'careful' });
  dev.server.printUrls();
  expect(await told('log', ({ text }) => String(text).includes('Local:'))).toMatchObject({
    level: 'info',
  });
});

test('a restart keeps the lease, and one that fails is an error', async () => {
  const { dev, told, companion } = await start();
  await dev.server.restart();
  const restart = await told('restart');
  await companion.when(({ leases }) => leases.length === 1);
  dev.server.config.logger.warn('after the restart');
  const after = await told('log', ({ text }) => text === 'after the restart');
  expect(after.lease).toBe(restart.lease);
  const { config } = dev.server;
  (config.inlineConfig as { configFile: string }).configFile = 'missing.config.ts';
  await dev.server.restart();
  await told('restart-failed');
  expect((await told('error')).message).toContain('missing.config.ts');
  expect(dev.server.config).toBe(config);
});
