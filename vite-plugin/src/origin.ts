import path from 'node:path';
import { normalizePath, type ViteDevServer } from 'vite';
import { realPath } from './sources.ts';

/** Who makes the component of a tag: an npm package, a file of the developer's, or nobody knows. */
export type Maker = { package: string } | { file: string } | null;

/** Vue has them without an import. */
const BUILT_IN = /^(transition(-group)?|keep-alive|teleport|suspense)$/i;
const IMPORT = /\bimport\s+(?!type\b)([^'";]+?)\s+from\s*(['"])(.+?)\2/g;

/** Looks at how the file that uses a component imports it. */
export async function findMaker(
  server: ViteDevServer,
  file: string,
  lines: readonly string[],
  tag: string,
): Promise<Maker> {
  if (BUILT_IN.test(tag.replace(/(?<=[a-z])(?=[A-Z])/g, '-'))) return { package: 'vue' };
  const specifier = specifierOf(lines.join('\n'), tag);
  if (specifier === null) return null;
  const found = await server.environments.client.pluginContainer.resolveId(specifier, file);
  if (!found) return null;
  const id = normalizePath(found.id.replace(/[?#].*$/, ''));
  const real = normalizePath(realPath(id) ?? id);
  const bundled = real.startsWith(`${normalizePath(server.config.cacheDir)}/`);
  if (bundled || real.includes('/node_modules/')) return { package: specifier };
  return { file: normalizePath(path.relative(server.config.root, real)) };
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
