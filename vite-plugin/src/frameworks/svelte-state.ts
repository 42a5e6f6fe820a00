import type { Plugin } from 'vite';
import { runtimePlugin } from './runtime.ts';
import { hydration } from './svelte-hydration.ts';

const RUNTIME = 'svelte/internal/client';
const VIRTUAL_RUNTIME = '\0pageside:svelte-internal-client.js';

/**
 * Svelte's own runtime for components, plus a note of the props and the named state of each component in the page.
 * In development the compiler hands both over: `push(props, …)` and `tag(state, 'name')`. What an element keeps of the
 * tag that made its component (`__svelte_meta.parent`) is what the note is found by.
 */
const code = `export * from '${RUNTIME}';
import * as svelte from '${RUNTIME}';
const pageside = (globalThis.__PAGESIDE__ ??= {});
const { components, roots } = (pageside.svelteState ??= { components: new WeakMap(), roots: new Map() });
const open = [];
const NAME = /^[\\w$]+$/;
const madeBy = () => {
  const probe = { nodeType: 1 };
  svelte.add_locations(() => probe, '', [[0, 0]])();
  let at = probe.__svelte_meta?.parent;
  while (at && at.type !== 'component') at = at.parent;
  return at;
};
export function push(props, runes, component) {
  const noted = { props, state: [] };
  const entry = madeBy();
  if (entry) components.set(entry, noted);
  else if (component) roots.set(component[svelte.FILENAME], noted);
  open.push(noted);
  return svelte.push(props, runes, component);
}
export function pop(exported) {
  open.pop();
  return svelte.pop(exported);
}
export function tag(source, name) {
  if (NAME.test(name)) open.at(-1)?.state.push({ name, source });
  return svelte.tag(source, name);
}
export function tag_proxy(value, name) {
  if (NAME.test(name)) open.at(-1)?.state.push({ name, value });
  return svelte.tag_proxy(value, name);
}
${hydration}`;

/** For the project's own components, in the browser. */
export function svelteStatePlugin(): Plugin {
  return runtimePlugin({
    name: 'pageside:svelte-state',
    module: RUNTIME,
    id: VIRTUAL_RUNTIME,
    code,
    isFor: (importer) => /\.svelte(\?|$)/.test(importer) && !importer.includes('/node_modules/'),
  });
}
