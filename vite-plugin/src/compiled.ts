import type { Plugin } from 'vite';
import { versions } from './versions.ts';

/** Not modules with a query: their text is not their file's. */
const MODULE = /^[^\0?]+\.[cm]?[jt]sx?$/;
const FOREIGN = /\/node_modules\//;

/** The version of the text that a file's pages have, by the file: the last that was compiled without an error. */
const compiled = new Map<string, string>();

/** Undefined for a file that no dev server has compiled. */
export function compiledVersion(file: string): string | undefined {
  return compiled.get(file);
}

/** A page was made from this text of the file. */
export function keepCompiled(file: string, text: string): void {
  compiled.set(file, versions.keep(file, text));
}

/**
 * Keeps which text of each module was compiled last. Pages count their places in it, while the file may have been
 * edited since: then the same line has another element, perhaps with the same tag.
 */
export function compiledPlugins(): Plugin[] {
  const begun = new Map<string, string>();
  const filter = { id: { include: MODULE, exclude: FOREIGN } };
  return [
    {
      name: 'pageside:compile',
      enforce: 'pre',
      transform: {
        order: 'pre',
        filter,
        handler(code, id) {
          if (this.environment?.config.consumer !== 'server') begun.set(id, code);
        },
      },
    },
    {
      name: 'pageside:compiled',
      enforce: 'post',
      transform: {
        order: 'post',
        filter,
        handler(_, id) {
          const code = begun.get(id);
          begun.delete(id);
          if (code !== undefined) keepCompiled(id, code);
        },
      },
    },
  ];
}
