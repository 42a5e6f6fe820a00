import type { Plugin } from 'vite';
import type { Settings } from '../options.ts';
import { versions } from './versions.ts';

/** Not modules with a query: their text is not their file's. */
const MODULE = /^[^\0?]+\.[cm]?[jt]sx?$/;
const FOREIGN = /\/node_modules\//;
/** Stands between a file's name and the version of its text, where JSX compilers note the name. */
export const FILE_VERSION = '?pageside=';
const NOTED_NAME = /(\b_jsxFileName\s*=\s*"[^"\n]*)"/;
const REACT = 'pageside:react-jsx-dev-runtime.js';

/** The version of the text that a file's pages have, by the file: the last that was compiled without an error. */
const compiled = new Map<string, string>();

/** Undefined for a file that no dev server has compiled. */
export function compiledVersion(file: string): string | undefined {
  return compiled.get(file);
}

/** A page was made from this text of the file. */
export function keepCompiled(file: string, text: string): string {
  const version = versions.keep(file, text);
  compiled.set(file, version);
  return version;
}

/**
 * Keeps which text of each module was compiled last. Pages count their places in it, while the file may have been
 * edited since: then the same line has another element, perhaps with the same tag.
 */
export function compiledPlugins({ react }: Pick<Settings, 'react'>): Plugin[] {
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
        handler(code, id) {
          const text = begun.get(id);
          begun.delete(id);
          if (text === undefined) return undefined;
          const version = keepCompiled(id, text);
          // Only our own runtime takes the version off again.
          if (!react || !code.includes(REACT)) return undefined;
          const noted = code.replace(NOTED_NAME, `$1${FILE_VERSION}${version}"`);
          return noted === code ? undefined : { code: noted, map: null };
        },
      },
    },
  ];
}
