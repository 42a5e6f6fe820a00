import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { resolveSettings } from '../src/options.ts';
import { errorOf, raw } from './support/raw.ts';
import { createApp, type Dev, startDev, withoutCompanion } from './support/server.ts';

const PAGE_ROUTES = ['/__pageside__/page/connect', '/__pageside__/resolve'];
/** This machine's address on a network, so that a request to it comes from there too. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === 'IPv4' && !entry.internal)?.address;

function post(dev: Dev, route: string, headers: Record<string, string> = {}, url = dev.url) {
  return raw(new URL(route, url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"places": []}',
  });
}

async function start(lan?: boolean, server = {}) {
  const app = createApp();
  const options = { ...withoutCompanion(app), ...(lan === undefined ? {} : { lan }) };
  return startDev(app.root, options, { server });
}

test('a page behind a tunnel is refused what the queue holds, and served the client', async () => {
  const dev = await start();
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  for (const route of PAGE_ROUTES) {
    const answer = await post(dev, route, headers);
    expect(answer.status).toBe(403);
    expect(errorOf(answer).fix).toContain('lan: true');
  }
  for (const route of [
    '/',
    '/__pageside__/client.js',
    '/__pageside__/worker.js',
    '/__pageside__/picture.js',
  ]) {
    expect((await raw(new URL(route, dev.url).href, { headers })).status).not.toBe(403);
  }
});

test('a page behind a tunnel is served with the option lan', async () => {
  const dev = await start(true);
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  expect((await post(dev, '/__pageside__/resolve', headers)).status).toBe(200);
});

test.each([
  [false, 403],
  [true, 200],
])(
  'behind a proxy that ends TLS a page is served only with the option lan (%j)',
  async (lan, status) => {
    const dev = await start(lan, { allowedHosts: ['shop.test'] });
    const answer = await post(dev, '/__pageside__/resolve', {
      host: 'shop.test',
      origin: 'https://shop.test',
      'sec-fetch-site': 'same-origin',
      'x-forwarded-proto': 'https',
    });
    expect(answer.status).toBe(status);
  },
);

test.runIf(address)('another machine is refused, unless the option lan is set', async () => {
  for (const [lan, status] of [
    [false, 403],
    [true, 200],
  ] as const) {
    const dev = await start(lan, { host: '0.0.0.0' });
    const url = new URL(dev.url);
    url.hostname = String(address);
    expect((await post(dev, '/__pageside__/resolve', {}, url.href)).status).toBe(status);
    expect((await post(dev, '/__pageside__/resolve')).status).toBe(200);
  }
});

test.each([false, true])(
  '`allowedHosts: true` opens Pageside to no name (lan: %j), and says so once',
  async (lan) => {
    const dev = await start(lan, { allowedHosts: true });
    for (const host of ['evil.test', 'a.evil.test:80']) {
      expect((await post(dev, '/__pageside__/resolve', { host })).status).toBe(403);
    }
    expect((await post(dev, '/__pageside__/resolve', { host: 'localhost' })).status).toBe(200);
    const warnings = dev.warnings.filter((text) => text.includes('allowedHosts'));
    expect(warnings).toEqual([
      expect.stringContaining(lan ? 'at localhost and IP addresses only' : 'at localhost only'),
    ]);
  },
);

test('PAGESIDE_LAN wins over the option lan, which is off by default', () => {
  expect(resolveSettings({}, {}).lan).toBe(false);
  expect(resolveSettings({ lan: true }, {}).lan).toBe(true);
  expect(resolveSettings({ lan: true }, { PAGESIDE_LAN: '0' }).lan).toBe(false);
  expect(resolveSettings({}, { PAGESIDE_LAN: '1' }).lan).toBe(true);
});
