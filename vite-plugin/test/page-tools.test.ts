import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, createServer, type Rollup } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { pageside } from '../src/index.ts';

const APP = `import { registerTool } from 'vite-plugin-pageside/page';
const tool = { name: 'secret_tool', description: 'Adds.', handler: () => 1 };
registerTool(tool);
import.meta.hot?.dispose(registerTool(tool));
document.title = 'kept';
`;

/** A folder inside the repository, so that it finds the package. */
function project(): string {
  const root = mkdtempSync(fileURLToPath(new URL('../.page-tools-', import.meta.url)));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(path.join(root, 'main.js'), APP);
  return root;
}

test('a build has nothing of it', async () => {
  const root = project();
  const [{ output }] = (await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [pageside({ enabled: true })],
    build: { write: false, lib: { entry: 'main.js', formats: ['es'] } },
  })) as [Rollup.RollupOutput];
  expect(output[0].code.trim()).toBe("document.title = 'kept';".replaceAll("'", '"'));
});

test('the dev server gives its pages one that registers, and itself the empty one', async () => {
  const server = await createServer({
    root: project(),
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false },
    plugins: [pageside({ enabled: true, companion: { url: 'http://127.0.0.1:9' } })],
  });
  onTestFinished(() => server.close());
  const main = await server.environments.client.transformRequest('/main.js');
  const id = /from "([^"]*vite-plugin-pageside\/page)"/.exec(main?.code ?? '')?.[1] ?? '';
  expect(id).toContain('@id/');
  const page = await server.environments.client.transformRequest(id.replace('/@id/__x00__', '\0'));
  expect(page?.code).toContain('pageside.tools');
  const own = await server.environments.ssr.pluginContainer.resolveId('vite-plugin-pageside/page');
  expect(own?.id).toMatch(/vite-plugin\/dist\/page\.js$/);
});
