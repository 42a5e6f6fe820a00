import type { Plugin } from 'vite';

const DEVTOOLS = 'preact:devtools';
const FIRST_LINE = /^(import "preact\/(?:debug|devtools)";)\n/;

/**
 * Preact's preset puts an import on a line of its own above the entry, without a source map, so that all places in
 * that file are a line off. Here the import goes before the file's first line instead.
 */
export function preactPlugin(): Plugin {
  return {
    name: 'pageside:preact',
    configResolved({ plugins }) {
      const devtools = plugins.find(({ name }) => name === DEVTOOLS);
      const transform = devtools?.transform;
      if (!devtools || typeof transform !== 'function') return;
      devtools.transform = async function (...values) {
        const result = await transform.apply(this, values);
        return typeof result === 'string' ? result.replace(FIRST_LINE, '$1 ') : result;
      };
    },
  };
}
