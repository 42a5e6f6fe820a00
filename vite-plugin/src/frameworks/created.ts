import type { Plugin, ResolvedConfig } from 'vite';
import { VITE_CLIENT } from '../inject.ts';
import type { Settings } from '../options.ts';

/** Plugins of frameworks whose elements know their place: by name, or by how the name starts. */
const FRAMEWORKS =
  /^(?:vite:react|vite:preact|vite:vue|vite-plugin-svelte|solid$|prefresh$|svelte|react-router(?:$|\/rsc))/;
const FRAMES = 30;

/**
 * Notes for each element which code made it, as a stack that is formatted only when somebody asks.
 * It runs at the end of Vite's client, so before all other modules of the page, and obeys each CSP that Vite does.
 * What classic scripts make before, and `document.write`, stays without a note.
 */
const code = `
{
  const pageside = (globalThis.__PAGESIDE__ ??= {});
  if (globalThis.document && !pageside.created) {
    const made = new WeakMap();
    pageside.created = { made };
    const trace = (by) => {
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = ${FRAMES};
      const note = { by, error: new Error(by) };
      Error.stackTraceLimit = stackTraceLimit;
      return note;
    };
    const all = function* (node) {
      if (node instanceof Element) yield node;
      for (const child of node.querySelectorAll?.('*') ?? []) {
        yield child;
        if (child.content instanceof DocumentFragment) yield* all(child.content);
      }
      if (node.content instanceof DocumentFragment) yield* all(node.content);
    };
    const below = (node, note, but) => {
      for (const each of all(node)) if (each !== but && !made.has(each)) made.set(each, note);
    };
    // Each way to make elements: what is seen before it is called, and then of what it gave.
    const ways = {
      one: () => (node, by) => node && made.set(node, trace(by)),
      tree: () => (tree, by) => tree && below(tree, trace(by)),
      inside: (element) => (_, by) => below(element, trace(by), element),
      copy: () => (copy, by) => {
        if (copy?.nodeType !== 1 && copy?.nodeType !== 11) return;
        const note = trace(by);
        for (const each of all(copy)) made.set(each, note);
      },
      added(element) {
        const parents = [element, element.parentNode].filter(Boolean);
        const known = new Set(parents.flatMap(({ children }) => [...children]));
        return (_, by) => {
          const note = trace(by);
          for (const { children } of parents)
            for (const child of children) if (!known.has(child)) below(child, note);
        };
      },
    };
    const wrap = (target, name, way) => {
      const own = target?.prototype && Object.getOwnPropertyDescriptor(target.prototype, name);
      const inner = own?.value ?? own?.set;
      if (!inner || !own.configurable) return;
      const outer = {
        [name](...values) {
          const end = ways[way](this);
          const result = inner.apply(this, values);
          end(result, name);
          return result;
        },
      }[name];
      Object.defineProperty(target.prototype, name, { ...own, [own.value ? 'value' : 'set']: outer });
    };
    wrap(Document, 'createElement', 'one');
    wrap(Document, 'createElementNS', 'one');
    wrap(Document, 'importNode', 'copy');
    wrap(Node, 'cloneNode', 'copy');
    for (const name of ['innerHTML', 'setHTMLUnsafe'])
      for (const target of [Element, ShadowRoot]) wrap(target, name, 'inside');
    wrap(Element, 'outerHTML', 'added');
    wrap(Element, 'insertAdjacentHTML', 'added');
    wrap(Range, 'createContextualFragment', 'tree');
    wrap(DOMParser, 'parseFromString', 'tree');
  }
}
`;

/** Options that one can miss. */
const SWITCHES = ['react', 'vue', 'solid', 'markup'] as const;

export function createdPlugin(settings: Settings): Plugin {
  const { dom } = settings;
  const off = SWITCHES.filter((name) => !settings[name]);
  const told = `(globalThis.__PAGESIDE__ ??= {}).off = ${JSON.stringify(off)};`;
  let isOn = false;
  return {
    name: 'pageside:created',
    configResolved(config) {
      isOn = dom === 'auto' ? !hasFramework(config) : dom;
    },
    transform: {
      filter: { id: VITE_CLIENT },
      handler(client) {
        if (this.environment?.config.consumer === 'server') return undefined;
        const added = [...(isOn ? [code] : []), ...(off.length > 0 ? [told] : [])];
        return added.length > 0 ? { code: [client, ...added].join('\n'), map: null } : undefined;
      },
    },
  };
}

function hasFramework({ plugins }: Pick<ResolvedConfig, 'plugins'>): boolean {
  return plugins.some(({ name }) => FRAMEWORKS.test(name));
}
