import path from 'node:path';
import { normalizePath, type ViteDevServer } from 'vite';
import type { Handler } from '../http/proxy.ts';
import { chainOf, findImporters, type Importers } from './importers.ts';
import { createJsonRoute } from './json-route.ts';
import { importedFile } from './modules.ts';
import { projectFile } from './project-file.ts';
import { packageOf } from './resolve.ts';
import { isMarkup, type Shape } from './shape.ts';
import { createShapes } from './shapes.ts';
import { elementsOf, findElementUses, findUses, type Uses } from './uses.ts';

/** Files that are named in an answer. */
const MAX_NAMED = 20;

/** How far a change of a component reaches in the project's files. */
export interface Reach {
  /** False: nobody can tell how often it is used. */
  counted: boolean;
  places: number;
  modules: number;
  /** How many files import its file themselves. */
  importers: number;
  importedBy: string[];
}

/** Answers `POST usage`. */
export function createUsage(server: ViteDevServer, projectRoot: string): Handler {
  const { logger, root } = server.config;
  const reachOf = createReach(server, projectRoot);
  return createJsonRoute(logger, 'The uses could not be counted.', async ({ file, component }) => {
    const found = projectFile(file, [projectRoot, root]);
    if ('refusal' in found) return found;
    const name = typeof component === 'string' && component ? component : null;
    return { answer: await reachOf(found.path, name) };
  });
}

type ReachOf = (file: string, component: string | null) => Promise<Reach>;

export function createReach(server: ViteDevServer, projectRoot: string): ReachOf {
  const shapeOf = createShapes();
  const shown = (file: string) => normalizePath(path.relative(projectRoot, file));

  return async (real, component) => {
    const file = normalizePath(real);
    const graph = findImporters(server, file);
    const importersOf = graph?.of ?? (() => []);
    const uses = graph && (await usesOf(graph, file, component));
    return {
      counted: !!uses,
      places: [...(uses?.values() ?? [])].reduce((sum, count) => sum + count, 0),
      modules: uses?.size ?? 0,
      importers: importersOf(file).length,
      importedBy: chainOf(file, importersOf, MAX_NAMED).map(shown),
    };
  };

  async function usesOf(
    graph: Importers,
    file: string,
    component: string | null,
  ): Promise<Uses | null> {
    const own = shapeOf(file);
    if (!own || (component === null && !isMarkup(file))) return null;
    const tags = component === null ? [] : elementsOf(own, component);
    if (tags.length > 0) return findElementUses(ownShapes(graph), tags);
    return findUses(
      {
        shapeOf,
        importersOf: graph.of,
        resolve: (specifier, importer) => importedFile(graph.environment, specifier, importer),
      },
      file,
      isMarkup(file) ? null : component,
    );
  }

  /** A custom element is used by its tag, wherever its module was imported. */
  function* ownShapes({ environment }: Importers): Generator<[string, Shape]> {
    const page = path.join(server.config.root, 'index.html');
    for (const known of new Set([page, ...environment.moduleGraph.fileToModulesMap.keys()])) {
      if (!/\.([cm]?[jt]sx?|html|vue|svelte|astro)$/.test(known) || packageOf(known)) continue;
      const shape = shapeOf(known);
      if (shape) yield [known, shape];
    }
  }
}
