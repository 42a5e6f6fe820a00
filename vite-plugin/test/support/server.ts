import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger, createServer, type InlineConfig, type ViteDevServer } from 'vite';
import { onTestFinished } from 'vitest';
import { projectId } from '../../src/companion/project.ts';
import { type PagesideOptions, pageside } from '../../src/index.ts';

const fake = fileURLToPath(new URL('fake-companion.mjs', import.meta.url));

/** A folder with a small app in it, removed after the test; `state` is a folder for the registry. */
export function createApp(files: Record<string, string> = {}) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'pageside-app-')));
  const state = realpathSync(mkdtempSync(path.join(tmpdir(), 'pageside-state-')));
  const content = {
    'package.json': '{"name": "app", "type": "module"}',
    'index.html': '<!doctype html><title>App</title><script type="module" src="/main.js"></script>',
    'main.js': 'export const app = true;',
    ...files,
  };
  for (const [name, text] of Object.entries(content)) writeFileSync(path.join(root, name), text);
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
    rmSync(state, { recursive: true, force: true });
  });
  return { root, state, folder: path.join(state, projectId(root)) };
}

export type App = ReturnType<typeof createApp>;

/** Options that start the fake companion, which ends with the test. */
export function withFakeCompanion(app: App, companion: PagesideOptions['companion'] = {}) {
  const command = [process.execPath, fake, '--fake-folder', app.folder];
  return { stateDir: app.state, companion: { command, ...companion } };
}

/** Options without any companion to be found. */
export function withoutCompanion(app: App): PagesideOptions {
  return { stateDir: app.state, companion: { url: 'http://127.0.0.1:9' } };
}

export interface Dev {
  server: ViteDevServer;
  url: string;
  warnings: string[];
  infos: string[];
  fetch(route: string, init?: RequestInit): Promise<Response>;
}

/** A real Vite server on a free port, closed after the test. */
export async function startDev(
  root: string,
  options: PagesideOptions,
  config: InlineConfig = {},
): Promise<Dev> {
  const warnings: string[] = [];
  const infos: string[] = [];
  const customLogger = createLogger('silent');
  customLogger.warn = (message) => warnings.push(message);
  customLogger.info = (message) => infos.push(message);
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    customLogger,
    ...config,
    server: { port: 0, host: '127.0.0.1', ...config.server },
    plugins: [config.plugins, pageside({ enabled: true, ...options })],
  });
  onTestFinished(() => server.close());
  await server.listen();
  const url = new URL('/', server.resolvedUrls?.local[0]).href;
  const fetchRoute: Dev['fetch'] = (route, init) => fetch(new URL(route, url), init);
  return { server, url, warnings, infos, fetch: fetchRoute };
}

/** Waits until the check gives something true, 5 s at most. */
export async function until<Value>(
  check: () => Promise<Value> | Value,
): Promise<NonNullable<Value>> {
  const deadline = Date.now() + 5_000;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`still not true after 5 s: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
