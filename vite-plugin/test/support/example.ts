import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { onTestFinished } from 'vitest';
import { type JsxCall, jsxCalls } from './jsx-calls.ts';
import { type Dev, startDev } from './server.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** A copy of an example that a test may edit, served by a real Vite with React's plugin. */
export async function startExample(
  name: string,
): Promise<{ dev: Dev; root: string; state: string }> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'pageside-example-')));
  const root = path.join(folder, 'app');
  const example = path.join(repository, 'examples', name);
  cpSync(path.join(example, 'src'), path.join(root, 'src'), { recursive: true });
  for (const file of ['index.html', 'package.json'])
    cpSync(path.join(example, file), path.join(root, file));
  const own = path.join(example, 'node_modules');
  const modules = name === 'vite-react18' ? own : path.join(repository, 'node_modules');
  symlinkSync(modules, path.join(root, 'node_modules'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dev = await startDev(
    root,
    { stateDir: folder, companion: { url: 'http://127.0.0.1:9' } },
    {
      plugins: [react()],
      cacheDir: path.join(folder, 'cache'),
      server: { fs: { allow: [folder, repository] } },
    },
  );
  return { dev, root, state: folder };
}

export interface Resolved {
  file: string;
  line: number;
  column: number;
  component: string | null;
  package: string | null;
  exact: boolean;
  reason?: string;
}

export async function resolve(dev: Dev, places: object[]): Promise<(Resolved | null)[]> {
  const answer = await dev.fetch('/__pageside__/resolve', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ places }),
  });
  return ((await answer.json()) as { places: (Resolved | null)[] }).places;
}

/** The elements that a served module makes, as its JSX runtime will report them. */
export async function elementsOf(dev: Dev, module: string): Promise<JsxCall[]> {
  return jsxCalls(await (await dev.fetch(module)).text(), /^_?jsxDEV$/);
}
