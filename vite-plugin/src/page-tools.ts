import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import { CHANNEL } from './contract.ts';
import { CLIENT_FOLDER } from './http/assets.ts';

const MODULE = 'vite-plugin-pageside/page';
const ID = `\0${MODULE}`;

/** Gives pages of the dev server a `registerTool` that registers; servers and builds keep the package's own. */
export function pageToolsPlugin(): Plugin {
  return {
    name: 'pageside:page-tools',
    enforce: 'pre',
    // Optimised, it would be the package's own.
    config: () => ({ optimizeDeps: { exclude: [MODULE] } }),
    resolveId: {
      filter: { id: /^vite-plugin-pageside\/page$/ },
      handler() {
        return this.environment?.config.consumer === 'server' ? undefined : ID;
      },
    },
    load: {
      filter: { id: /^\0vite-plugin-pageside\/page$/ },
      async handler() {
        const file = new URL(CHANNEL.routes.pageTools.slice(1), CLIENT_FOLDER);
        return { code: await readFile(file, 'utf8'), map: { mappings: '' } };
      },
    },
  };
}
