import type { Plugin } from 'vite';
import { FILE_VERSION } from '../source/compiled.ts';
import { runtimePlugin } from './runtime.ts';

const RUNTIME = 'react/jsx-dev-runtime';
const VIRTUAL_RUNTIME = '\0pageside:react-jsx-dev-runtime.js';

/**
 * React's own runtime, plus a note of where each element was written: the `source` argument, which JSX compilers
 * pass and React 19 drops, kept by the element's props. Nothing is added to the page. An element may stay when its module is
 * updated, in a state or a memo: the file's name tells which text the place counts in, and loses that here.
 */
const code = `import * as runtime from '${RUNTIME}';
const pageside = (globalThis.__PAGESIDE__ ??= {});
const { props } = (pageside.react ??= { props: new WeakMap() });
let order = 0;
const names = new Map();
const split = (name) => {
  if (!names.has(name)) names.set(name, name.split('${FILE_VERSION}'));
  return names.get(name);
};
export const Fragment = runtime.Fragment;
export function jsxDEV(type, config, key, isStatic, source, self) {
  const [fileName, version] = source?.fileName ? split(source.fileName) : [];
  if (version) source.fileName = fileName;
  const element = runtime.jsxDEV(type, config, key, isStatic, source, self);
  if (source && element?.props) props.set(element.props, { source, version, order: ++order });
  return element;
}
`;

export function reactPlugin(): Plugin {
  return runtimePlugin({
    name: 'pageside:react',
    module: RUNTIME,
    id: VIRTUAL_RUNTIME,
    code,
    map: ignoredMap(),
  });
}

/** A map into node_modules: DevTools skips such frames in the stacks that it shows. */
function ignoredMap() {
  const source = '/node_modules/vite-plugin-pageside/react-jsx-dev-runtime.js';
  const mappings = code.split('\n').map((_, line) => (line === 0 ? 'AAAA' : 'AACA'));
  return {
    version: 3,
    sources: [source],
    sourcesContent: [code],
    names: [],
    mappings: mappings.join(';'),
    x_google_ignoreList: [0],
  };
}
