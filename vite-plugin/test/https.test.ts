import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import { expect, onTestFinished, test } from 'vitest';
import { companionOf } from './support/companion.ts';
import { errorOf, raw } from './support/raw.ts';
import { createApp, startDev, withFakeCompanion } from './support/server.ts';

/** A self-signed certificate for localhost, made for these tests alone. */
const pem = readFileSync(new URL('support/localhost.pem', import.meta.url), 'utf8');

async function startSecure() {
  const app = createApp();
  const companion = companionOf(app);
  const dev = await startDev(app.root, withFakeCompanion(app), {
    server: { https: { key: pem, cert: pem } },
  });
  await companion.when(({ leases }) => leases.length === 1);
  return { dev, companion, origin: dev.url.slice(0, -1) };
}

function connect(url: string): http2.ClientHttp2Session {
  const session = http2.connect(url, { ca: pem });
  onTestFinished(() => session.destroy());
  return session;
}

interface Reply {
  status: number | undefined;
  text: string;
}

function send(session: http2.ClientHttp2Session, headers: http2.OutgoingHttpHeaders, body = '{}') {
  return new Promise<Reply>((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/__pageside__/page/connect',
      'content-type': 'application/json',
      ...headers,
    });
    let status: number | undefined;
    let text = '';
    stream.on('response', (answer) => {
      status = answer[':status'];
    });
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    stream.on('end', () => resolve({ status, text }));
    stream.on('error', reject);
    stream.end(body);
  });
}

test('over HTTP/2 a page of the dev server reaches the companion', async () => {
  const { dev, origin } = await startSecure();
  const answer = await send(connect(dev.url), { origin, 'sec-fetch-site': 'same-origin' });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toMatchObject({
    bytes: 2,
    headers: { 'x-pageside-page-token': 'page-token' },
  });
});

test('a foreign Host is refused over HTTP/2 and over HTTP/1.1, where Vite checks none', async () => {
  const { dev } = await startSecure();
  const second = await send(connect(dev.url), { ':authority': 'evil.test' });
  expect(second.status).toBe(403);
  expect(errorOf(second).code).toBe('FORBIDDEN');
  const first = await raw(new URL('/__pageside__/page/connect', dev.url).href, {
    method: 'POST',
    ca: pem,
    servername: 'localhost',
    headers: { host: 'evil.test', 'content-type': 'application/json' },
    body: '{}',
  });
  expect(first.status).toBe(403);
  expect(errorOf(first).message).toContain('evil.test');
});

test('the http address of the same server is a foreign Origin', async () => {
  const { dev, origin } = await startSecure();
  const answer = await send(connect(dev.url), { origin: origin.replace('https:', 'http:') });
  expect(answer.status).toBe(403);
});

test('a body over the limit is refused over HTTP/2', async () => {
  const { dev, origin } = await startSecure();
  const answer = await send(
    connect(dev.url),
    { origin, 'content-length': 5_000_000 },
    'x'.repeat(5_000_000),
  );
  expect(answer.status).toBe(413);
});

test('a stream over HTTP/2 ends at the companion when the page goes away', async () => {
  const { dev, companion } = await startSecure();
  const stream = connect(dev.url).request({ ':path': '/__pageside__/page/stream' });
  const chunk = await new Promise<string>((resolve, reject) => {
    stream.setEncoding('utf8').once('data', resolve);
    stream.once('error', reject);
  });
  expect(chunk).toContain('event: hello');
  await companion.when(({ streams }) => streams === 1);
  stream.close(http2.constants.NGHTTP2_CANCEL);
  await companion.when(({ streams }) => streams === 0);
});
