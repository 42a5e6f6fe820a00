import { expect, onTestFinished, test, vi } from 'vitest';
import { isAlive } from '../src/companion/lock.ts';
import { companionOf, end } from './support/companion.ts';
import { errorOf, raw } from './support/raw.ts';
import {
  type App,
  createApp,
  type Dev,
  startDev,
  until,
  withFakeCompanion,
} from './support/server.ts';

/** A project with a companion, and a guest project that is told to use that one. */
async function startGuest(stateOf: (host: App, guest: App) => string) {
  const host = createApp();
  const guest = createApp();
  const companion = companionOf(host);
  const hostDev = await startDev(host.root, withFakeCompanion(host));
  const url = `http://127.0.0.1:${(await companion.running()).port}`;
  vi.stubEnv('PAGESIDE_PAGE_TOKEN', 'page-token');
  vi.stubEnv('PAGESIDE_PLUGIN_TOKEN', 'plugin-token');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const dev = await startDev(guest.root, { stateDir: stateOf(host, guest), companion: { url } });
  await until(() => dev.warnings.length > 0);
  return { host, hostDev, guest, companion, dev, url };
}

function connectPage(dev: Dev) {
  return raw(new URL('/__pageside__/page/connect', dev.url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
}

test('another project’s companion is warned about once, with both folders', async () => {
  const { host, guest, dev, url } = await startGuest(({ state }) => state);
  for (let time = 0; time < 3; time += 1) await connectPage(dev);
  expect(dev.warnings).toHaveLength(1);
  for (const text of [url, host.root, guest.root, 'companion.url (PAGESIDE_URL)'])
    expect(dev.warnings[0]).toContain(text);
});

test('a project whose folder is unknown is named by its id', async () => {
  const { host, dev } = await startGuest((_, { state }) => state);
  expect(dev.warnings[0]).toContain(`another project (${host.folder.split('/').at(-1)})`);
});

test('pages are told of the wrong project, and the companion hears nothing', async () => {
  const { companion, dev } = await startGuest(({ state }) => state);
  const answer = await connectPage(dev);
  expect(answer.status).toBe(409);
  expect(answer.headers).not.toHaveProperty('retry-after');
  expect(errorOf(answer)).toEqual({
    code: 'WRONG_PROJECT',
    message: expect.any(String),
    fix: 'Start a companion for that project, or open the page of this project.',
  });
  const { leases } = await companion.when((state) => state.leases.length === 1);
  expect(leases).toHaveLength(1);
});

test('the right companion at that address is taken once it is there', async () => {
  const { guest, hostDev, companion, dev, url } = await startGuest(({ state }) => state);
  await hostDev.server.close();
  const { pid } = await companion.running();
  end(pid);
  await until(() => !isAlive(pid));
  const own = companionOf(guest);
  const command = [...withFakeCompanion(guest).companion.command, '--port', new URL(url).port];
  await startDev(guest.root, { stateDir: guest.state, companion: { command } });
  await own.when(({ leases }) => leases.length === 1);
  await until(async () => (await connectPage(dev)).status === 200);
});
