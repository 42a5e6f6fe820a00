/**
 * Svelte tells a component's elements their places by counting them, before the components among them have taken
 * over theirs: in HTML of a server it then counts those of others as well. Here it is done afterwards, from the inside
 * out, by counting only those that nobody has told a place. `{@html}` and blocks are left out: the former has no place,
 * the latter have templates of their own. Part of the module that stands for Svelte's runtime, as `svelte`.
 */
export const hydration = `
let waiting = [];
let children = new Map();
const listed = (parent) => {
  if (!children.has(parent)) {
    const nodes = [...parent.childNodes];
    children.set(parent, { nodes, index: new Map(nodes.map((node, at) => [node, at])) });
  }
  return children.get(parent);
};
function* ownElements(nodes, from = 0) {
  let depth = 0;
  let raw = false;
  for (let at = from; at < nodes.length; at += 1) {
    const node = nodes[at];
    const text = node.nodeType === 8 ? node.data : undefined;
    if (raw) raw = text !== '';
    else if (text?.[0] === '[') depth += 1;
    else if (text?.[0] === ']') depth -= 1;
    else if (text) raw = /^[0-9a-z]+$/.test(text);
    else if (node.nodeType === 1 && depth === 0) yield node;
    if (depth < 0) return;
  }
}
const isLeft = ({ __svelte_meta }, { early }) => !__svelte_meta || early.has(__svelte_meta);
const tell = (element, [line, column, inner], told) => {
  element.__svelte_meta = { parent: told.parent, loc: { file: told.file, line, column } };
  if (!inner) return;
  const left = [...ownElements(element.childNodes)].filter((child) => isLeft(child, told));
  // Somebody has put more into it, or taken some out: nobody can tell which.
  if (left.length === inner.length) for (const [at, child] of left.entries()) tell(child, inner[at], told);
};
const tellAll = () => {
  const batch = waiting.reverse();
  waiting = [];
  children = new Map();
  for (const told of batch) {
    let at = 0;
    for (const element of ownElements(told.siblings.nodes, told.from)) {
      if (at === told.locations.length) break;
      if (isLeft(element, told)) tell(element, told.locations[at++], told);
    }
  }
};
export function add_locations(make, file, locations) {
  return (...values) => {
    const dom = make(...values);
    // Only what a server has written is in the document before its component has run.
    if (!dom.isConnected) return svelte.add_locations(() => dom, file, locations)();
    const probe = { nodeType: 1 };
    svelte.add_locations(() => probe, file, [[0, 0]])();
    const siblings = listed(dom.parentNode);
    const from = siblings.index.get(dom) ?? siblings.nodes.length;
    // What a package's component around it has told already: that one was not wrapped, and counted too early.
    const early = new WeakSet();
    for (const { __svelte_meta: meta } of ownElements(siblings.nodes, from)) {
      if (!meta) break;
      early.add(meta);
    }
    if (waiting.length === 0) queueMicrotask(tellAll);
    waiting.push({ file, locations, parent: probe.__svelte_meta.parent, siblings, from, early });
    return dom;
  };
}
`;
