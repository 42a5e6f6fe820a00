import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { askConsoleLink } from '../src/companion/console-link.ts';
import type { Companion } from '../src/companion/registry.ts';

const LINK = 'http://127.0.0.1:6137/__pageside__/console#code';

/** A companion that answers every request like this. */
async function answering(status: number, body: string): Promise<Companion> {
  const server = http.createServer((request, response) => {
    const isOurs = request.headers['x-pageside-plugin-token'] === 'plugin';
    response.writeHead(isOurs ? status : 401).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const known = { host: '127.0.0.1', pid: 1, version: '0.1.0', pageToken: 'page' };
  return { ...known, port, pluginToken: 'plugin', agentToken: undefined };
}

test('the companion gives a link', async () => {
  const body = JSON.stringify({ url: LINK });
  expect(await askConsoleLink(await answering(200, body))).toEqual({ url: LINK, tabs: '' });
});

test('with it comes why no tab can connect', async () => {
  const answer = { url: LINK, tabs: 'off: Port 61822 is used by another program.' };
  expect(await askConsoleLink(await answering(200, JSON.stringify(answer)))).toEqual(answer);
});

test.each([
  [404, JSON.stringify({ error: { code: 'NOT_FOUND' } })],
  [200, 'nonsense'],
  [200, '{}'],
  [200, ''],
])('one that answers %i %s has none to give', async (status, body) => {
  expect(await askConsoleLink(await answering(status, body))).toBeNull();
});

test('one that is not there has none to give', async () => {
  const companion = await answering(200, '{}');
  expect(await askConsoleLink({ ...companion, port: 1 })).toBeNull();
});
