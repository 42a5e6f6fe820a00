import type { Plugin, ResolvedConfig } from 'vite';
import { CHANNEL } from '../contract.ts';
import type { Marker } from './marks.ts';
import { runtimePlugin } from './runtime.ts';
import { type CodeNode, isNode, nameOf, walk } from './syntax.ts';

const RUNTIME = 'solid-js/web';
const VIRTUAL_RUNTIME = '\0pageside:solid-web.js';
/** The prop that carries a component's call site to the wrapped runtime, which takes it off. */
const CALL_SITE = '__pageside';

export function hasSolid({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean {
  return plugins.some(({ name }) => name === 'solid');
}

/**
 * Writes each element's place into its tag, and each component's call site into a prop; not the latter on the
 * server, where nobody would take it off. Hydration does not compare attributes, so both sides may have the former.
 */
export function markJsx(program: CodeNode, marker: Marker, onServer: boolean): void {
  walk(program, (node) => {
    if (node.type !== 'JSXOpeningElement' || !isNode(node.name)) return;
    const { name } = node;
    const attributes = Array.isArray(node.attributes) ? node.attributes : [];
    const has = (attribute: string) => attributes.some((each) => nameOf(each.name) === attribute);
    // Right after the name, so that spreads and own attributes, which come later, win.
    if (isHost(name)) {
      if (!has(CHANNEL.sourceAttribute)) marker.mark(node.start, name.end);
    } else if (!onServer && !has(CALL_SITE)) {
      const { end } = [node.typeArguments, node.typeParameters].find(isNode) ?? name;
      marker.insert(end, ` ${CALL_SITE}="${marker.placeOf(node.start)}"`);
    }
  });
}

function isHost({ type, name }: CodeNode): boolean {
  if (type === 'JSXNamespacedName') return true;
  return type === 'JSXIdentifier' && /^[a-z]/.test(String(name));
}

/**
 * Solid's runtime for the browser, plus a note of what owns an element and where its components are used.
 * Props made from a spread can be a proxy that keeps what one deletes: that one gets a proxy without the prop.
 */
const code = `export * from '${RUNTIME}';
import * as runtime from '${RUNTIME}';
const pageside = (globalThis.__PAGESIDE__ ??= {});
const { elements, sites } = (pageside.solid ??= { elements: new WeakMap(), sites: new WeakMap() });
const own = (name) => name !== '${CALL_SITE}';
const without = (props) =>
  new Proxy(props, {
    get: (target, name, receiver) => (own(name) ? Reflect.get(target, name, receiver) : undefined),
    has: (target, name) => own(name) && Reflect.has(target, name),
    ownKeys: (target) => Reflect.ownKeys(target).filter(own),
    getOwnPropertyDescriptor: (target, name) =>
      own(name) ? Reflect.getOwnPropertyDescriptor(target, name) : undefined,
  });
const belongs = (node, owner) => {
  if (node instanceof Element && !elements.has(node)) elements.set(node, owner);
  return node;
};
const withOwner = (create) => {
  const made = (...values) => {
    const node = create(...values);
    if (node) elements.set(node, runtime.getOwner());
    return node;
  };
  return made;
};
export function template(...values) {
  const create = withOwner(runtime.template(...values));
  create.cloneNode = create;
  return create;
}
export const getNextElement = withOwner(runtime.getNextElement);
export function createComponent(component, given) {
  let props = given;
  const site = props?.${CALL_SITE};
  if (site !== undefined) {
    delete props.${CALL_SITE};
    if ('${CALL_SITE}' in props) props = without(props);
    sites.set(props, site);
  }
  const owner = { component, props, owner: runtime.getOwner() };
  const result = runtime.createComponent(component, props);
  // An element that nobody has noted: a component of a package made it, or it was made by hand.
  if (component !== runtime.Dynamic) return belongs(result, owner);
  return typeof result === 'function' ? () => belongs(result(), owner) : result;
}
`;

/** The runtime that the project's own components are given in the browser. */
export function solidPlugin(): Plugin {
  let isSolid = false;
  const isFor = (importer: string) => isSolid && !importer.includes('/node_modules/');
  return {
    ...runtimePlugin({ name: 'pageside:solid', module: RUNTIME, id: VIRTUAL_RUNTIME, code, isFor }),
    configResolved(config) {
      isSolid = hasSolid(config);
    },
  };
}
