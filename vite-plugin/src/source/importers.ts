import type { DevEnvironment, EnvironmentModuleNode, ViteDevServer } from 'vite';
import { normalizePath } from 'vite';
import { packageOf } from './resolve.ts';
import { realPath } from './sources.ts';

/** A file of the project in Vite's module graph, and the files that import it. */
export interface Importers {
  environment: DevEnvironment;
  of(file: string): string[];
}

/** The graph that knows the file: the browser's, else that of another environment. */
export function findImporters({ environments }: ViteDevServer, file: string): Importers | null {
  const { client, ...others } = environments;
  const environment = [client, ...Object.values(others)].find(
    ({ moduleGraph }) => modulesOf(moduleGraph, file).length > 0,
  );
  if (!environment) return null;
  const { moduleGraph } = environment;
  return {
    environment,
    of(each) {
      const importers = modulesOf(moduleGraph, each)
        .flatMap((node) => [...node.importers])
        .map(ownFile)
        .filter((importer) => importer !== null && importer !== each);
      // The graph has them in the order in which they happened to be served.
      return ([...new Set(importers)] as string[]).sort();
    },
  };
}

type Graph = DevEnvironment['moduleGraph'];

/** Of links to files the graph knows the one or the other name. */
function modulesOf(graph: Graph, file: string): EnvironmentModuleNode[] {
  return [...(graph.getModulesByFile(normalizePath(file)) ?? [])].filter(
    ({ type, id }) => type !== 'css' && !id?.includes('type=style'),
  );
}

/** Styles and packages use nobody's components. */
function ownFile({ file, type, id }: EnvironmentModuleNode): string | null {
  if (!file || type === 'css' || id?.startsWith('\0') || id?.includes('type=style')) return null;
  const real = realPath(file);
  return real && packageOf(real) === null ? normalizePath(real) : null;
}

/** All that leads from a file to where it is loaded: the nearest first, the entries last. */
export function chainOf(
  file: string,
  importersOf: (file: string) => string[],
  limit: number,
): string[] {
  const seen = new Set([file]);
  const entries: string[] = [];
  const between: string[] = [];
  // Grows while it is walked: level by level.
  for (const each of seen) {
    const importers = importersOf(each);
    for (const importer of importers) seen.add(importer);
    if (each === file) continue;
    (importers.length > 0 ? between : entries).push(each);
  }
  return [...between.slice(0, Math.max(0, limit - entries.length)), ...entries.slice(0, limit)];
}
