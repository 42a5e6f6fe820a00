import http from 'node:http';
import { expect, test } from 'vitest';
import { CHANNEL } from '../src/contract.ts';
import { companionOf } from './support/companion.ts';
import { errorOf, raw } from './support/raw.ts';
import {
  createApp,
  type Dev,
  startDev,
  until,
  withFakeCompanion,
  withoutCompanion,
} from './support/server.ts';

const LIMIT = CHANNEL.limits.bodyBytes;

interface Echo {
  method: string;
  url: string;
  headers: Record<string, string>;
  bytes: number;
}

async function startWithCompanion(config: Parameters<typeof startDev>[2] = {}) {
  const app = createApp();
  const companion = companionOf(app);
  const dev = await startDev(app.root, withFakeCompanion(app), config);
  await companion.when(({ leases }) => leases.length === 1);
  return { app, companion, dev };
}

function post(dev: Dev, route: string, headers: Record<string, string> = {}, body = '{}') {
  return raw(new URL(route, dev.url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

test('a page’s request is forwarded with the page token and without what the companion must not see', async () => {
  const { app, dev, companion } = await startWithCompanion();
  const { port } = await companion.running();
  const origin = dev.url.slice(0, -1);
  const answer = await post(dev, '/__pageside__/page/connect?a=1', {
    origin,
    cookie: 'session=1',
    authorization: 'Bearer mine',
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'cors',
    'x-pageside-plugin-token': 'guess',
    'x-pageside-page-token': 'guess',
    'x-mine': 'kept',
  });
  const { method, url, headers, bytes }: Echo = JSON.parse(answer.text);
  expect({ method, url, bytes }).toEqual({
    method: 'POST',
    url: '/__pageside__/page/connect?a=1',
    bytes: 2,
  });
  expect(headers).toMatchObject({
    host: `127.0.0.1:${port}`,
    'x-pageside-page-token': 'page-token',
    'x-pageside-project': app.folder.split('/').at(-1),
    'x-mine': 'kept',
  });
  for (const name of ['cookie', 'origin', 'authorization', 'x-pageside-plugin-token']) {
    expect(headers).not.toHaveProperty(name);
  }
  expect(Object.keys(headers).filter((name) => name.startsWith('sec-fetch-'))).toEqual([]);
});

test('an agent’s request is forwarded with its authorization and the socket that it came over', async () => {
  const { dev } = await startWithCompanion();
  const answer = await post(dev, '/__mcp__?toolsets=all', {
    authorization: 'Bearer agent',
    'x-pageside-agent-peer': '1|2|3|4',
  });
  const { url, headers }: Echo = JSON.parse(answer.text);
  expect(url).toBe('/__mcp__?toolsets=all');
  expect(headers).toMatchObject({
    authorization: 'Bearer agent',
    'x-pageside-plugin-token': 'plugin-token',
  });
  expect(headers['x-pageside-agent-peer']).toMatch(
    new RegExp(`^127\\.0\\.0\\.1\\|\\d+\\|127\\.0\\.0\\.1\\|${new URL(dev.url).port}$`),
  );
});

test.each<Record<string, string>>([{ 'sec-fetch-site': 'same-origin' }, { origin: 'own' }])(
  'a browser’s request to the agent’s endpoint ($0) vouches for no socket',
  async (headers) => {
    const { dev } = await startWithCompanion();
    const own = headers.origin ? { origin: dev.url.slice(0, -1) } : headers;
    const answer = await post(dev, '/__mcp__', { ...own, 'x-pageside-agent-peer': '1|2|3|4' });
    expect(JSON.parse(answer.text).headers).not.toHaveProperty('x-pageside-agent-peer');
  },
);

test.each([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-proto': 'https' },
  { forwarded: 'for=203.0.113.9' },
  { via: '1.1 proxy' },
  { 'x-real-ip': '203.0.113.9' },
  { 'cf-connecting-ip': '203.0.113.9' },
  { host: 'shop.test' },
  { host: '192.168.1.5' },
  { host: 'app.localhost' },
])(
  'no socket is vouched for when a tunnel or a proxy may stand in between (%j)',
  async (headers) => {
    const { dev } = await startWithCompanion({ server: { allowedHosts: ['shop.test'] } });
    const answer = await post(dev, '/__mcp__', { ...headers, authorization: 'Bearer agent' });
    const echo: Echo = JSON.parse(answer.text);
    expect(echo.headers).not.toHaveProperty('x-pageside-agent-peer');
    expect(echo.headers.authorization).toBe('Bearer agent');
  },
);

test.each(['localhost', 'localhost:1', '127.0.0.1:5173', '[::1]:5173'])(
  'an agent that calls %s directly is vouched for',
  async (host) => {
    const { dev } = await startWithCompanion();
    const answer = await post(dev, '/__mcp__', { host });
    expect(JSON.parse(answer.text).headers).toHaveProperty('x-pageside-agent-peer');
  },
);

test('the routes are there with and without the base', async () => {
  const { dev } = await startWithCompanion({ base: '/sub/' });
  for (const prefix of ['', '/sub']) {
    const page = await post(dev, `${prefix}/__pageside__/page/update`);
    const agent = await post(dev, `${prefix}/__mcp__/messages?id=1`);
    expect(JSON.parse(page.text).url).toBe('/__pageside__/page/update');
    expect(JSON.parse(agent.text).url).toBe('/__mcp__/messages?id=1');
  }
});

test.each(['/__pageside__/plugin/lease', '/__pageside__/page/../plugin/lease', '/__pageside__/'])(
  '%s is not forwarded',
  async (route) => {
    const { dev } = await startWithCompanion();
    const { hostname, port } = new URL(dev.url);
    const headers = { 'content-type': 'application/json' };
    const answer = await raw(dev.url, {
      hostname,
      port,
      path: route,
      method: 'POST',
      headers,
      body: '{}',
    });
    expect(answer.status).toBe(404);
    expect(errorOf(answer).code).toBe('NOT_FOUND');
  },
);

test('a path that only begins like ours is Vite’s', async () => {
  const app = createApp();
  const dev = await startDev(app.root, withoutCompanion(app));
  const answer = await dev.fetch('/__mcp__x', { headers: { accept: 'text/html' } });
  expect(await answer.text()).toContain('<title>App</title>');
});

test.each<[string, number, Record<string, string>]>([
  ['a foreign Origin', 403, { origin: 'http://localhost:1' }],
  ['another site', 403, { 'sec-fetch-site': 'cross-site' }],
  ['a form', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
])('%s is refused on every route, also without a companion', async (_, status, headers) => {
  const app = createApp();
  const dev = await startDev(app.root, withoutCompanion(app));
  for (const route of ['/__pageside__/page/connect', '/__mcp__', '/__pageside__/resolve']) {
    const answer = await post(dev, route, headers);
    expect(answer.status).toBe(status);
    expect(errorOf(answer)).toEqual({
      code: expect.stringMatching(/^(FORBIDDEN|BAD_REQUEST)$/),
      message: expect.any(String),
      fix: expect.any(String),
    });
  }
});

test('a foreign and a malformed Host are refused', async () => {
  const app = createApp();
  const dev = await startDev(app.root, withoutCompanion(app));
  for (const host of ['evil.test', 'localhost:1@evil.test', '[::g]']) {
    expect((await post(dev, '/__pageside__/resolve', { host })).status).toBe(403);
  }
});

test('a host of server.allowedHosts is served', async () => {
  const app = createApp();
  const dev = await startDev(app.root, withoutCompanion(app), {
    server: { allowedHosts: ['shop.test'] },
  });
  const headers = { host: 'shop.test', origin: 'http://shop.test' };
  expect((await post(dev, '/__pageside__/resolve', headers, '{"places": []}')).status).toBe(200);
});

test('a body over the limit is refused by its length before it is read', async () => {
  const app = createApp();
  const dev = await startDev(app.root, withoutCompanion(app));
  const answer = await post(dev, '/__mcp__', {}, 'x'.repeat(LIMIT + 1));
  expect(answer.status).toBe(413);
  expect(errorOf(answer)).toMatchObject({
    code: 'TOO_LARGE',
    message: expect.stringContaining(String(LIMIT)),
  });
});

test.each(['/__mcp__', '/__pageside__/resolve'])(
  'a body to %s that grows over the limit is refused',
  async (route) => {
    const { dev } = await startWithCompanion();
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const request = http.request(new URL(route, dev.url), { method: 'POST', headers });
      request.on('response', (response) => {
        resolve(response.statusCode);
        request.destroy();
      });
      request.on('error', reject);
      const chunk = Buffer.alloc(256 * 1024, 'x');
      const send = () => {
        if (!request.destroyed) request.write(chunk, send);
      };
      send();
    });
    expect(answer).toBe(413);
  },
);

test('a body just under the limit passes whole', async () => {
  const { dev } = await startWithCompanion();
  const answer = await post(dev, '/__pageside__/page/answer', {}, 'x'.repeat(LIMIT));
  expect(JSON.parse(answer.text).bytes).toBe(LIMIT);
});

test('a stream passes at once, and ends at the companion when the page goes away', async () => {
  const { dev, companion } = await startWithCompanion();
  const page = new AbortController();
  const response = await dev.fetch('/__pageside__/page/stream', { signal: page.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const first = await response.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toContain('event: hello');
  await companion.when(({ streams }) => streams === 1);
  page.abort();
  await companion.when(({ streams }) => streams === 0);
});

test('a stream ends at the page when the companion dies', async () => {
  const { dev, companion } = await startWithCompanion();
  const response = await dev.fetch('/__pageside__/page/stream');
  const reader = response.body?.getReader();
  await reader?.read();
  process.kill((await companion.running()).pid, 'SIGKILL');
  await expect(reader?.read()).rejects.toThrow();
});

test.each(['/__mcp__/../__pageside__/plugin/lease', '/__mcp__/a/b', '/__mcp__/%2e%2e/x'])(
  'what lies beside the MCP endpoint is not reached by %s',
  async (path) => {
    const { dev } = await startWithCompanion();
    const { hostname: host, port } = new URL(dev.url);
    const answer = await raw(dev.url, { method: 'GET', host, port, path });
    expect(errorOf(answer)).toMatchObject({ code: 'NOT_FOUND' });
  },
);

test('an answer that the companion breaks off is not taken for a whole one', async () => {
  const { dev } = await startWithCompanion();
  await expect(dev.fetch('/__mcp__/break-off').then((answer) => answer.text())).rejects.toThrow();
});

test('without a companion the answer is 503, soon to be tried again', async () => {
  const app = createApp();
  const dev = await startDev(app.root, withoutCompanion(app));
  const answer = await post(dev, '/__pageside__/page/connect');
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('1');
  expect(errorOf(answer)).toMatchObject({ code: 'PAGE_NOT_CONNECTED', fix: expect.any(String) });
});

test('a companion that was started by hand is found by the next request', async () => {
  const app = createApp();
  const dev = await startDev(
    app.root,
    { stateDir: app.state, companion: { command: ['/does/not/exist'] } },
    {},
  );
  const other = createApp();
  await until(() => dev.warnings.length > 0);
  const companion = companionOf(app);
  const starter = await startDev(other.root, { ...withFakeCompanion(app), project: app.root });
  await companion.when(({ leases }) => leases.length === 1);
  await until(async () => (await post(dev, '/__pageside__/page/connect')).status === 200);
  await companion.when(({ leases }) => leases.length === 2);
  expect(starter.warnings).toEqual([]);
});

test('the companion learns where pages came from: a forwarded port is a place of the app too', async () => {
  const { companion, dev } = await startWithCompanion();
  await post(dev, '/__pageside__/page/connect', {
    host: 'localhost:9999',
    origin: 'http://localhost:8888',
  });
  await post(dev, '/__pageside__/page/connect', {
    host: 'localhost:9999',
    origin: 'http://localhost:9999',
  });
  const { leases } = await companion.when((state) =>
    state.leases.some((each) => each.urls.length > 1),
  );
  expect(leases.at(-1)?.urls).toEqual([dev.url, 'http://localhost:9999/']);
});
