import path from 'node:path';
import { normalizePath, type ViteDevServer } from 'vite';
import { importedFile } from './modules.ts';

/** Who makes the component of a tag: an npm package, or a file of the developer's. */
export type Maker = { package: string } | { file: string };

/** Vue has them without an import. */
const BUILT_IN = /^(transition(-group)?|keep-alive|teleport|suspense)$/i;
const IMPORT = /\bimport\s+(?!type\b)([^'";]+?)\s+from\s*(['"])(.+?)\2/g;
const REGISTERED = /\.component\(\s*(['"`])([\w-]+)\1\s*,\s*([\w$]+)/g;

/**
 * Looks at how the file that uses a component imports it, or which file of the project registers it. Null where none
 * does: then a package has registered it, or imports it for who uses it.
 */
export async function findMaker(
  server: ViteDevServer,
  file: string,
  lines: readonly string[],
  tag: string,
): Promise<Maker | null> {
  if (BUILT_IN.test(tag.replace(/(?<=[a-z])(?=[A-Z])/g, '-'))) return { package: 'vue' };
  const specifier = specifierOf(lines.join('\n'), tag);
  if (specifier !== null) return resolved(server, specifier, file);
  return (await registeredBy(server, tag)) ?? addedTo(server, file, tag);
}

async function resolved(
  server: ViteDevServer,
  specifier: string,
  importer: string,
): Promise<Maker | null> {
  const file = await importedFile(server.environments.client, specifier, importer);
  if (file === null) return null;
  return isForeign(server, file) ? { package: specifier } : { file: fromRoot(server, file) };
}

/** `app.component('FancyTip', FancyTip)` in one of the project's modules that the page has. */
async function registeredBy(server: ViteDevServer, tag: string): Promise<Maker | null> {
  for (const { file, transformResult } of modulesOf(server)) {
    const code = transformResult?.code;
    if (!file || !code?.includes('.component(') || isForeign(server, file)) continue;
    for (const [, , name = '', local = ''] of code.matchAll(REGISTERED)) {
      if (pascalCase(name) !== pascalCase(tag)) continue;
      const specifier = specifierOf(code, local);
      const maker = specifier === null ? null : await resolved(server, specifier, file);
      return maker ?? { file: fromRoot(server, file) };
    }
  }
  return null;
}

/** A file of the project with the component's name, which a plugin has let the file import. */
function addedTo(server: ViteDevServer, file: string, tag: string): Maker | null {
  const users = server.environments.client.moduleGraph.getModulesByFile(normalizePath(file)) ?? [];
  for (const { importedModules } of users)
    for (const { file: imported } of importedModules) {
      if (!imported || isForeign(server, imported)) continue;
      // With its folders, which may be part of the name: components/base/Tip.ts is BaseTip.
      const name = imported
        .replace(/\.\w+$/, '')
        .split('/')
        .map(pascalCase)
        .join('');
      if (name.endsWith(pascalCase(tag))) return { file: fromRoot(server, imported) };
    }
  return null;
}

function modulesOf({ environments }: ViteDevServer) {
  return environments.client.moduleGraph.idToModuleMap.values();
}

function isForeign({ config }: ViteDevServer, file: string): boolean {
  return file.startsWith(`${normalizePath(config.cacheDir)}/`) || file.includes('/node_modules/');
}

function fromRoot({ config }: ViteDevServer, file: string): string {
  return normalizePath(path.relative(config.root, file));
}

function specifierOf(text: string, tag: string): string | null {
  const name = pascalCase(tag.split('.')[0] ?? '');
  for (const [, names = '', , specifier = ''] of text.matchAll(IMPORT))
    if (importedNames(names).some((imported) => pascalCase(imported) === name)) return specifier;
  return null;
}

/** The local names of an import's clause. */
function importedNames(clause: string): string[] {
  return clause
    .split(/[{},]/)
    .map(
      (part) =>
        part
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? '',
    )
    .filter(Boolean);
}

function pascalCase(name: string): string {
  return name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}
