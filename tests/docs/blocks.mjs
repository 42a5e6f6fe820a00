// Reads [{name, language, text, prelude}] from stdin and prints {name: [what is wrong with it…]}: types by TypeScript
// against our own, and Vite configurations whose plugins are installed here by Vite itself.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { loadConfigFromFile } from 'vite';

// Where our packages, Vite and React's plugin are found.
const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'vite-plugin/.pageside/docs-blocks');
const options = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
  types: ['vite/client', 'node'],
  jsx: ts.JsxEmit.Preserve,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

// Frameworks that only `make test-frameworks` installs: what of them takes our plugin.
const frameworks = `
  declare module 'astro/config' {
    export function defineConfig(config: { vite?: import('vite').UserConfig; integrations?: unknown[] }): unknown;
  }
  declare module '@sveltejs/kit/vite' { export function sveltekit(options?: object): import('vite').PluginOption }
  declare module '@react-router/dev/vite' { export function reactRouter(): import('vite').PluginOption }
  declare module '@tanstack/react-start/plugin/vite' { export function tanstackStart(): import('vite').PluginOption }
  declare function defineNuxtConfig(config: { vite?: import('vite').UserConfig }): unknown;
`;

function errorsOf(blocks) {
  const files = new Map([[path.join(folder, 'frameworks.d.ts'), frameworks]]);
  blocks.forEach((block, index) => {
    // JavaScript is checked as TypeScript, which needs no annotations here.
    block.path = path.join(folder, `${index}.${block.language.replace('j', 't')}`);
    files.set(block.path, `${block.text}\n${block.prelude}\nexport {};\n`);
  });
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists.call(host, file);
  host.readFile = (file) => files.get(file) ?? readFile.call(host, file);
  host.getSourceFile = (file, version) => {
    const text = host.readFile(file);
    return text === undefined ? undefined : ts.createSourceFile(file, text, version, true);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return new Map(
    blocks.map((block) => [
      block.name,
      ts.getPreEmitDiagnostics(program, program.getSourceFile(block.path)).map(inWords),
    ]),
  );
}

function inWords({ file, start = 0, messageText }) {
  const line = file ? `line ${file.getLineAndCharacterOfPosition(start).line + 1}: ` : '';
  return `${line}${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}

function isInstalled(specifier) {
  const found = ts.resolveModuleName(specifier, path.join(folder, 'x.ts'), options, ts.sys);
  return found.resolvedModule !== undefined;
}

async function loadErrors(block, index) {
  const imported = ts.preProcessFile(block.text).importedFiles.map((one) => one.fileName);
  const isConfig = block.text.includes('vite.config') && imported.every(isInstalled);
  if (!isConfig || block.text.includes("from 'astro/config'")) return [];
  const own = path.join(folder, String(index));
  mkdirSync(own, { recursive: true });
  const file = path.join(own, `vite.config.${block.language}`);
  writeFileSync(file, block.text);
  try {
    const env = { command: 'serve', mode: 'development' };
    const loaded = await loadConfigFromFile(env, file, own, 'silent');
    const plugins = (await Promise.all(loaded?.config.plugins?.flat(9) ?? [])).flat(9);
    const isThere = plugins.some((plugin) => plugin?.name?.startsWith('pageside:'));
    return isThere ? [] : ['Vite loads it, and Pageside is not among its plugins'];
  } catch (error) {
    return [String(error)];
  }
}

let input = '';
for await (const chunk of process.stdin) input += chunk;
const blocks = JSON.parse(input);
const errors = errorsOf(blocks);
for (const [index, block] of blocks.entries())
  errors.get(block.name).push(...(await loadErrors(block, index)));
rmSync(folder, { recursive: true, force: true });
process.stdout.write(JSON.stringify(Object.fromEntries(errors)));
