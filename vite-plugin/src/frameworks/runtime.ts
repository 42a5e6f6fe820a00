import type { Plugin, Rollup } from 'vite';

interface Runtime {
  /** The plugin's. */
  name: string;
  /** What a framework's compiled code imports. */
  module: string;
  /** Starts with a NUL; the last part of it is what frame parsers and DevTools recognise. */
  id: string;
  /** What is given instead; it imports the real one by the same name. */
  code: string;
  map?: Rollup.SourceMapInput;
  /** Who is given it. */
  isFor?: (importer: string) => boolean;
}

/** A framework's runtime for the browser, with notes of the plugin's. */
export function runtimePlugin({ name, module, id, code, map, isFor }: Runtime): Plugin {
  let firstImporter: string | undefined;
  return {
    name,
    enforce: 'pre',
    resolveId: {
      filter: { id: exactly(module) },
      handler(specifier, importer, options) {
        // Vite's dependency scanner must see the real package, or it would not be optimised.
        if (importer === undefined || isScan(options)) return undefined;
        if (this.environment?.config.consumer === 'server') return undefined;
        // The package is looked up from the app's code: Vite's root may have none, or another one.
        if (importer === id) return this.resolve(specifier, firstImporter, { skipSelf: true });
        if (isFor && !isFor(importer)) return undefined;
        firstImporter ??= importer;
        return id;
      },
    },
    load: {
      filter: { id: exactly(id) },
      handler: () => ({ code, map: map ?? { mappings: '' } }),
    },
  };
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

function isScan(options: object): boolean {
  return 'scan' in options && options.scan === true;
}
