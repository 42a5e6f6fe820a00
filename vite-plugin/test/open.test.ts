import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { createServer } from 'vite';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { pageside } from '../src/index.ts';
import {
  type App,
  createApp,
  type Dev,
  startDev,
  until,
  withoutCompanion,
} from './support/server.ts';

afterEach(() => void vi.unstubAllEnvs());

/** An editor that writes down what it was asked to open. */
function recordingEditor({ state }: App) {
  const [script, record] = [path.join(state, 'editor.sh'), path.join(state, 'opened')];
  writeFileSync(
    script,
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${record}.new'; mv '${record}.new' '${record}'\n`,
  );
  chmodSync(script, 0o755);
  vi.stubEnv('LAUNCH_EDITOR', script);
  return () => until(() => existsSync(record) && readFileSync(record, 'utf8').trim().split('\n'));
}

const json = { 'content-type': 'application/json' };
const open = (
  dev: Pick<Dev, 'fetch'>,
  body: object,
  base = '/',
  headers: Record<string, string> = json,
) => dev.fetch(`${base}__pageside__/open`, { method: 'POST', headers, body: JSON.stringify(body) });

const errorOf = async (answer: Response) =>
  ((await answer.json()) as { error: { code: string; message: string; fix: string } }).error;

test.each(['/', '/shop/'])('the editor opens the place, with the base %s', async (base) => {
  const app = createApp();
  const opened = recordingEditor(app);
  const dev = await startDev(app.root, withoutCompanion(app), { base });
  const answer = await open(dev, { file: 'main.js', line: 1, column: 8 }, base);
  expect(await answer.json()).toEqual({ file: 'main.js', line: 1, column: 8 });
  expect(await opened()).toEqual([path.join(app.root, 'main.js'), '1', '8']);
});

test('in middleware mode too', async () => {
  const app = createApp();
  const opened = recordingEditor(app);
  const server = await createServer({
    root: app.root,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    plugins: [pageside({ enabled: true, ...withoutCompanion(app) })],
  });
  const outer = http.createServer(server.middlewares).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    outer.close();
    await server.close();
  });
  await until(() => outer.listening);
  const { port } = outer.address() as { port: number };
  const fetchRoute: Dev['fetch'] = (route, init) => fetch(`http://127.0.0.1:${port}${route}`, init);
  expect((await open({ fetch: fetchRoute }, { file: 'main.js', line: 3, column: 1 })).status).toBe(
    200,
  );
  expect(await opened()).toEqual([path.join(app.root, 'main.js'), '3', '1']);
});

test('what is not there, lies outside or leads out is not opened', async () => {
  const app = createApp();
  mkdirSync(path.join(app.root, 'src'));
  writeFileSync(path.join(app.state, 'secret.txt'), '');
  symlinkSync(path.join(app.state, 'secret.txt'), path.join(app.root, 'src', 'link.txt'));
  vi.stubEnv('LAUNCH_EDITOR', '/bin/false');
  const dev = await startDev(app.root, withoutCompanion(app));
  const codes = async (file: unknown) => (await errorOf(await open(dev, { file, line: 1 }))).code;
  expect(await codes('gone.js')).toBe('NOT_FOUND');
  expect(await codes(path.join(app.state, 'secret.txt'))).toBe('FORBIDDEN');
  expect(await codes('../../../../../../etc/hostname')).toBe('FORBIDDEN');
  expect(await codes('src/link.txt')).toBe('FORBIDDEN');
  expect(await codes('main.js\0')).toBe('NOT_FOUND');
  expect(await codes(undefined)).toBe('BAD_REQUEST');
  expect((await errorOf(await open(dev, { file: 'src/link.txt' }))).fix).toContain(app.root);
});

test('only a page of this server opens files, by POST', async () => {
  const app = createApp();
  const dev = await startDev(app.root, withoutCompanion(app));
  const body = { file: 'main.js', line: 1 };
  const status = async (headers: Record<string, string>) =>
    (await open(dev, body, '/', headers)).status;
  expect(await status({ 'content-type': 'text/plain' })).toBe(415);
  expect(await status({ ...json, origin: 'http://evil.test' })).toBe(403);
  expect(await status({ ...json, 'x-forwarded-for': '10.0.0.9' })).toBe(403);
  expect((await dev.fetch('/__pageside__/open?file=main.js')).status).toBe(400);
});

test('an editor that there is not is told with what to do', async () => {
  const app = createApp();
  const dev = await startDev(app.root, withoutCompanion(app));
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const body = { file: 'main.js', line: 1, column: 1 };
  vi.stubEnv('LAUNCH_EDITOR', 'no-such-editor');
  const missing = await open(dev, body);
  expect(missing.status).toBe(501);
  expect(await errorOf(missing)).toMatchObject({
    code: 'NO_EDITOR',
    message: expect.stringContaining("'no-such-editor' command does not exist in 'PATH'"),
    fix: expect.stringContaining('LAUNCH_EDITOR'),
  });
  const { log: restored } = console;
  expect(restored).toBe(log);
  // Vite guesses from the processes that run; with none to be seen there is no editor.
  for (const name of ['LAUNCH_EDITOR', 'VISUAL', 'EDITOR', 'PATH']) vi.stubEnv(name, '');
  const none = await errorOf(await open(dev, body));
  expect(none.message).toContain('Could not open main.js in the editor');
});
