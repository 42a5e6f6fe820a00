import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAst } from 'vite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { projectId } from '../src/companion/project.ts';
import { createAsset } from '../src/http/assets.ts';
import { createApp, type Dev, startDev, withoutCompanion } from './support/server.ts';

describe('the inspector client', () => {
  test('is loaded by the page and by Vite’s client, from one URL, which names the project', async () => {
    const app = createApp();
    const dev = await startDev(app.root, withoutCompanion(app));
    const url = `/__pageside__/client.js?project=${projectId(app.root)}`;
    expect(await clientUrls(dev)).toEqual({ page: url, client: url });
  });

  test('is told the project that the option names', async () => {
    const app = createApp();
    const other = createApp();
    const dev = await startDev(app.root, { ...withoutCompanion(app), project: other.root });
    expect((await clientUrls(dev)).page).toContain(`project=${projectId(other.root)}`);
  });

  test('follows the base', async () => {
    const app = createApp();
    const dev = await startDev(app.root, withoutCompanion(app), { base: '/sub/' });
    const url = `/sub/__pageside__/client.js?project=${projectId(app.root)}`;
    expect(await clientUrls(dev, '/sub/')).toEqual({ page: url, client: url });
  });

  test('is told when the page requires Trusted Types', async () => {
    const app = createApp();
    const headers = { 'Content-Security-Policy': "require-trusted-types-for 'script'" };
    const dev = await startDev(app.root, withoutCompanion(app), { server: { headers } });
    const url = `/__pageside__/client.js?project=${projectId(app.root)}&tt=1`;
    expect(await clientUrls(dev)).toEqual({ page: url, client: url });
  });

  test('leaves Vite’s client valid JavaScript', async () => {
    const app = createApp();
    const dev = await startDev(app.root, withoutCompanion(app));
    const code = await (await dev.fetch('/@vite/client')).text();
    expect(() => parseAst(code)).not.toThrow();
    expect(code).toContain('createHotContext');
  });

  test('stays out of the page when the option enabled is false', async () => {
    const app = createApp();
    const dev = await startDev(app.root, { enabled: false });
    expect(await (await dev.fetch('/')).text()).not.toContain('__pageside__');
    expect(await (await dev.fetch('/@vite/client')).text()).not.toContain('__pageside__');
  });
});

describe('a file of the client', () => {
  test('is served as JavaScript that the browser checks again each time', async () => {
    const { url } = await serve('client.js', 'export {}');
    const first = await fetch(url);
    expect(await first.text()).toBe('export {}');
    expect(first.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.get('x-mine')).toBe('1');
    const again = await fetch(url, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  test('has another ETag once it changed', async () => {
    const { url, file } = await serve('worker.js', 'one');
    const before = (await fetch(url, { method: 'HEAD' })).headers.get('etag');
    writeFileSync(file, 'two');
    expect((await fetch(url)).headers.get('etag')).not.toBe(before);
  });

  test('that is missing is named, with what to do', async () => {
    const { url, file } = await serve('client.js', 'x');
    rmSync(file);
    const answer = await fetch(url);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      error: { code: 'NOT_FOUND', fix: expect.any(String) },
    });
  });
});

/** The client's URL as the page names it and as Vite's client does. */
async function clientUrls(dev: Dev, base = '/') {
  const html = await (await dev.fetch(base)).text();
  const code = await (await dev.fetch(`${base}@vite/client`)).text();
  const page = /<script type="module" src="([^"]*__pageside__[^"]*)"><\/script>/.exec(html)?.[1];
  const client = /new URL\("([^"]*__pageside__[^"]*)", import\.meta\.url\)/.exec(code)?.[1];
  return { page: page?.replaceAll('&amp;', '&'), client };
}

async function serve(name: string, text: string) {
  const folder = mkdtempSync(path.join(tmpdir(), 'pageside-client-'));
  const file = path.join(folder, name);
  writeFileSync(file, text);
  const asset = createAsset(name, { 'x-mine': '1' }, pathToFileURL(`${folder}/`));
  const server = http.createServer(asset).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, file };
}
