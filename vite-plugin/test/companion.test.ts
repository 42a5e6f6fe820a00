import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isAlive, takeLock } from '../src/companion/lock.ts';
import { VERSION } from '../src/version.ts';
import { companionOf, end } from './support/companion.ts';
import { type App, createApp, startDev, until, withFakeCompanion } from './support/server.ts';

/** An environment where nothing can start a companion, unless the option `command` does. */
function hidePrograms(): void {
  vi.stubEnv('PATH', '/nowhere');
  vi.stubEnv('VIRTUAL_ENV', '');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

test('the dev server listens at once; the companion is started beside it and told the URLs', async () => {
  const app = createApp();
  const companion = companionOf(app);
  const dev = await startDev(app.root, withFakeCompanion(app));
  expect((await dev.fetch('/')).status).toBe(200);
  const { leases } = await companion.when((state) => state.leases[0]?.urls.length === 1);
  expect(leases).toEqual([
    { root: app.root, urls: [dev.url], pid: process.pid, vite: expect.stringMatching(/^\d+\.\d+/) },
  ]);
});

test('the endpoint, a line for the agent and a link to the console stand under Vite’s URLs, once', async () => {
  const app = createApp();
  const companion = companionOf(app);
  const dev = await startDev(app.root, withFakeCompanion(app));
  dev.server.printUrls();
  const { port } = await companion.running();
  await until(() => dev.infos.some((line) => line.includes('Console:')));
  const endpoint = `http://127.0.0.1:${port}/__mcp__`;
  const ours = dev.infos.filter((line) => /__mcp__|__pageside__/.test(line));
  expect(ours).toEqual([
    `  ➜  Pageside: ${endpoint}`,
    `  ➜  Agent:    claude mcp add --transport http pageside ${endpoint}`,
    `  ➜  Console:  http://127.0.0.1:${port}/__pageside__/console#code`,
  ]);
});

test('the state folder is private', async () => {
  const app = createApp();
  const companion = companionOf(app);
  await startDev(app.root, withFakeCompanion(app));
  await companion.running();
  expect(statSync(companion.files.folder).mode & 0o777).toBe(0o700);
  expect(statSync(companion.files.log).mode & 0o777).toBe(0o600);
});

test('two dev servers of one project share one companion', async () => {
  const app = createApp();
  const companion = companionOf(app);
  await Promise.all([
    startDev(app.root, withFakeCompanion(app)),
    startDev(app.root, withFakeCompanion(app)),
  ]);
  const { leases } = await companion.when((state) => state.leases.length === 2);
  expect(leases.map(({ root }) => root)).toEqual([app.root, app.root]);
  expect(existsSync(companion.files.lock)).toBe(false);
});

test('closing the dev server ends its lease', async () => {
  const app = createApp();
  const companion = companionOf(app);
  const first = await startDev(app.root, withFakeCompanion(app));
  await startDev(app.root, withFakeCompanion(app));
  await companion.when(({ leases }) => leases.length === 2);
  await first.server.close();
  await companion.when(({ leases }) => leases.length === 1);
});

test('a dev server in middleware mode has a lease, and ends it when it closes', async () => {
  const { createServer } = await import('vite');
  const { pageside } = await import('../src/index.ts');
  const app = createApp();
  const companion = companionOf(app);
  const plugins = [pageside({ enabled: true, ...withFakeCompanion(app) })];
  const server = await createServer({
    root: app.root,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    plugins,
  });
  await companion.when(({ leases }) => leases.length === 1);
  await server.close();
  await companion.when(({ leases }) => leases.length === 0);
});

test('a restarted dev server keeps the companion, and holds exactly one lease', async () => {
  const app = createApp();
  const companion = companionOf(app);
  const dev = await startDev(app.root, withFakeCompanion(app));
  await companion.when((state) => state.leases[0]?.urls.length === 1);
  const before = await companion.running();
  await dev.server.restart();
  const { leases } = await companion.when(
    (state) => state.leases.length === 1 && state.leases[0]?.urls.length === 1,
  );
  expect(leases).toHaveLength(1);
  expect((await companion.running()).pid).toBe(before.pid);
  expect((await dev.fetch('/__pageside__/health')).status).toBe(200);
});

test('a killed companion is started again and leased again', async () => {
  const app = createApp();
  const companion = companionOf(app);
  const dev = await startDev(app.root, withFakeCompanion(app));
  await companion.when(({ leases }) => leases.length === 1);
  const { pid } = await companion.running();
  end(pid);
  await until(async () => (await companion.running()).pid !== pid);
  await companion.when(({ leases }) => leases.length === 1);
  await until(async () => (await dev.fetch('/__pageside__/health')).status === 200);
  expect(dev.warnings).toEqual([]);
});

test.each([
  ['a process that is gone', { pid: 2 ** 22, port: 9 }],
  ['a port where somebody else answers', { pid: process.pid, port: 'own' }],
])('a registry that names %s is not believed', async (_, { pid, port }) => {
  const app = createApp();
  const other = createApp();
  const otherCompanion = companionOf(other);
  await startDev(other.root, withFakeCompanion(other));
  const taken = await otherCompanion.running();
  writeRegistry(app, { pid, port: port === 'own' ? taken.port : port });
  const companion = companionOf(app);
  await startDev(app.root, withFakeCompanion(app));
  await companion.when(({ leases }) => leases.length === 1);
  expect((await companion.running()).pid).not.toBe(pid);
});

test('a lock of a dead process does not stand in the way', async () => {
  const app = createApp();
  const companion = companionOf(app);
  mkdirSync(app.folder, { recursive: true });
  writeFileSync(companion.files.lock, JSON.stringify({ pid: 2 ** 22, time: Date.now() }));
  await startDev(app.root, withFakeCompanion(app));
  await companion.when(({ leases }) => leases.length === 1);
  expect(existsSync(companion.files.lock)).toBe(false);
});

test('a lock is held by one at a time, and released only by its holder', () => {
  const app = createApp();
  const lock = path.join(app.root, 'companion.lock');
  const release = takeLock(lock);
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual({
    pid: process.pid,
    time: expect.any(Number),
  });
  expect(takeLock(lock)).toBeNull();
  release?.();
  expect(existsSync(lock)).toBe(false);
  writeFileSync(lock, 'another’s');
  release?.();
  expect(existsSync(lock)).toBe(true);
});

test('without Python there is one warning that says what was tried, and the app is served', async () => {
  hidePrograms();
  const app = createApp();
  const dev = await startDev(app.root, { stateDir: app.state });
  await until(() => dev.warnings.length > 0);
  expect(dev.warnings).toHaveLength(1);
  expect(dev.warnings[0]).toMatch(
    /uvx pageside@[\d.]+: not found\n.*pipx run --spec pageside==[\d.]+ pageside: not found\n.*python3 -m pageside: not found/,
  );
  expect(dev.warnings[0]).toMatch(/pipx install pageside==[\d.]+` or `uv tool install pageside==/);
  expect(await (await dev.fetch('/')).text()).toContain('<title>App</title>');
  expect(await (await dev.fetch('/main.js')).text()).toContain('app = true');
  for (let time = 0; time < 3; time += 1) await dev.fetch('/__pageside__/health');
  expect(dev.warnings).toHaveLength(1);
});

test('a Python without the package is named with its own words', async () => {
  hidePrograms();
  const app = createApp();
  mkdirSync(path.join(app.root, '.venv/bin'), { recursive: true });
  const python = path.join(app.root, '.venv/bin/python');
  writeFileSync(python, '#!/bin/sh\necho "No module named pageside" >&2\nexit 1\n', {
    mode: 0o755,
  });
  const dev = await startDev(app.root, { stateDir: app.state });
  await until(() => dev.warnings.length > 0);
  expect(dev.warnings).toEqual([
    expect.stringContaining(`${python} -m pageside: No module named pageside`),
  ]);
});

/** A `pageside` on PATH that calls itself of that version, and runs the fake companion. */
function installProgram(app: App, version: string): string {
  const program = path.join(app.root, '.local/bin/pageside');
  const { command } = withFakeCompanion(app).companion;
  mkdirSync(path.dirname(program), { recursive: true });
  writeFileSync(
    program,
    `#!/bin/sh\nif [ "$1" = version ]; then echo '${version}'; else exec ${command?.join(' ')} "$@"; fi\n`,
    { mode: 0o755 },
  );
  vi.stubEnv('PATH', path.dirname(program));
  return program;
}

test('an installed companion of the plugin’s version is started as it is', async () => {
  hidePrograms();
  const app = createApp();
  installProgram(app, VERSION);
  const companion = companionOf(app);
  const dev = await startDev(app.root, { stateDir: app.state });
  await companion.when(({ leases }) => leases.length === 1);
  expect(dev.warnings).toEqual([]);
  expect(dev.infos.filter((line) => line.includes('.local'))).toEqual([]);
});

test('an installed companion of another version is named once, and passed over', async () => {
  hidePrograms();
  const app = createApp();
  const program = installProgram(app, '0.0.9');
  const dev = await startDev(app.root, { stateDir: app.state });
  await until(() => dev.warnings.length > 0);
  expect(dev.warnings[0]).toMatch(
    new RegExp(`${program}: is 0\\.0\\.9, not .*\\n.*uvx pageside@[\\d.]+: not found`),
  );
  expect(dev.infos.filter((line) => line.includes(`${program} is 0.0.9`))).toHaveLength(1);
  expect(existsSync(companionOf(app).files.record)).toBe(false);
});

test('an installed program that tells no version, or never ends, is passed over', async () => {
  hidePrograms();
  for (const [version, startTimeoutMs, why] of [
    ["'; exit 3; '", 20_000, 'Command failed'],
    ["'; while :; do :; done; '", 500, 'no answer within 0.5 s'],
  ] as const) {
    const app = createApp();
    const program = installProgram(app, version);
    const dev = await startDev(app.root, {
      stateDir: app.state,
      companion: { startTimeoutMs },
    });
    await until(() => dev.warnings.length > 0);
    expect(dev.warnings[0]).toContain(`${program}: does not tell its version: ${why}`);
  }
});

test('a command that hangs is ended, with what it started', async () => {
  hidePrograms();
  const app = createApp();
  const pids = path.join(app.root, 'pids');
  const script = path.join(app.root, 'hang.mjs');
  writeFileSync(
    script,
    `import { spawn } from 'node:child_process';
     import { writeFileSync } from 'node:fs';
     const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
     writeFileSync(${JSON.stringify(pids)}, process.pid + ' ' + child.pid);
     process.on('SIGTERM', () => {});
     setInterval(() => {}, 1000);`,
  );
  const command = [process.execPath, script];
  const dev = await startDev(app.root, {
    stateDir: app.state,
    companion: { command, startTimeoutMs: 600 },
  });
  await until(() => dev.warnings.length > 0);
  expect(dev.warnings[0]).toContain(`${script}: did not answer within 0.6 s and was ended`);
  const [first = 0, second = 0] = readFileSync(pids, 'utf8').split(' ').map(Number);
  await until(() => !isAlive(first) && !isAlive(second));
});

test('a named companion that is not there is never started, and warned about once', async () => {
  const app = createApp();
  const dev = await startDev(app.root, {
    stateDir: app.state,
    companion: { ...withFakeCompanion(app).companion, url: 'http://127.0.0.1:9' },
  });
  await until(() => dev.warnings.length > 0);
  expect(dev.warnings).toEqual([
    expect.stringMatching(/no companion answers at http:\/\/127\.0\.0\.1:9.*the port may differ/),
  ]);
  expect(existsSync(app.folder)).toBe(false);
});

test('a named companion is used with the tokens of the environment', async () => {
  const app = createApp();
  const companion = companionOf(app);
  await startDev(app.root, withFakeCompanion(app));
  const { port } = await companion.running();
  nameCompanion(port, 'plugin-token');
  const guest = createApp();
  const dev = await startDev(guest.root, { stateDir: guest.state, project: app.root });
  await companion.when(({ leases }) => leases.length === 2);
  const answer = await dev.fetch('/__pageside__/page/connect');
  expect(await answer.json()).toMatchObject({ headers: { 'x-pageside-page-token': 'given' } });
});

test('a wrong token is warned about once', async () => {
  const app = createApp();
  const companion = companionOf(app);
  await startDev(app.root, withFakeCompanion(app));
  const { port } = await companion.running();
  nameCompanion(port, 'wrong');
  const guest = createApp();
  const dev = await startDev(guest.root, { stateDir: guest.state, project: app.root });
  await until(() => dev.warnings.length > 0);
  expect((await dev.fetch('/__pageside__/page/connect')).status).toBe(503);
  expect(dev.warnings).toEqual([expect.stringContaining('Correct PAGESIDE_PLUGIN_TOKEN')]);
});

test('the record of a killed companion is gone before the next one looks whether it is alone', async () => {
  hidePrograms();
  const app = createApp({
    'look.mjs': `import { existsSync } from 'node:fs';
                 console.log(existsSync(process.argv[2]) ? 'there' : 'gone');
                 process.exit(1);`,
  });
  writeRegistry(app, { pid: process.pid, port: 9 });
  const record = path.join(app.folder, 'companion.json');
  const command = [process.execPath, path.join(app.root, 'look.mjs'), record];
  const dev = await startDev(app.root, { stateDir: app.state, companion: { command } });
  await until(() => dev.warnings.length > 0);
  expect(dev.warnings[0]).toContain(`${record}: gone`);
});

function nameCompanion(port: number, pluginToken: string): void {
  vi.stubEnv('PAGESIDE_URL', `http://127.0.0.1:${port}`);
  vi.stubEnv('PAGESIDE_PAGE_TOKEN', 'given');
  vi.stubEnv('PAGESIDE_PLUGIN_TOKEN', pluginToken);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

function writeRegistry(app: App, fields: object): void {
  mkdirSync(app.folder, { recursive: true });
  const record = { service: 'pageside', protocol: 1, pageToken: 'a', pluginToken: 'b', ...fields };
  writeFileSync(path.join(app.folder, 'companion.json'), JSON.stringify(record));
}
