import { isRecord } from '../basics';
import { parentOf } from '../element/deep';
import type { Place } from '../protocol';
import { MAX_OWNERS, type RawSource, type SourceReader } from './raw';

const FRAGMENT = /^function [\w$]*\((\w+)\)\s*\{\s*return \1\.children;?\s*\}$/;

/** Preact's published files have its own names shortened: `__k` children, `__` parent, `__e` element, `__o` owner. */
export interface VNode {
  type?: unknown;
  props?: object;
  __k?: (VNode | null)[] | null;
  __?: VNode | null;
  __e?: unknown;
  __o?: VNode | null;
  __source?: { fileName: string; lineNumber: number; columnNumber?: number };
}

export const preact: SourceReader = {
  name: 'preact',
  read,
  placeOf(element) {
    const vnode = everyVNode(element.ownerDocument).get(element);
    return vnode ? placeOf(vnode, element.localName) : null;
  },
};

function read(element: Element): RawSource | null {
  const vnode = vnodeOf(element);
  if (!vnode) return null;
  const places = [placeOf(vnode, element.localName)];
  const owners: string[] = [];
  for (let at = ownerOf(vnode); at && owners.length < MAX_OWNERS; at = ownerOf(at)) {
    const name = componentName(at);
    const place = placeOf(at, name);
    // What memo makes has no place of its own: the place is where the memo is used, one further out.
    if (name === owners.at(-1) && !places.at(-1)) places[places.length - 1] = place;
    else {
      owners.push(name);
      places.push(place);
    }
  }
  return { framework: 'preact', places, owners };
}

/** From the container's tree: an element does not know its own node. */
export function vnodeOf(element: Element): VNode | null {
  for (let at: Element | null = element; at; at = parentOf(at)) {
    const root = treeOf(at);
    if (root) return find(root, element);
  }
  // What a portal put elsewhere belongs to the tree of another container.
  for (const root of treesIn(element.ownerDocument)) {
    const vnode = find(root, element);
    if (vnode) return vnode;
  }
  return null;
}

function treeOf(container: Element): VNode | null {
  const root: unknown = Reflect.get(container, '__k');
  return isRecord(root) && 'type' in root ? (root as VNode) : null;
}

let trees: Map<Document, VNode[]> | undefined;

/** The trees of where applications are rendered into, as a rule. Kept while one element and all around it are asked for. */
function treesIn(document: Document): VNode[] {
  if (!trees)
    queueMicrotask(() => {
      trees = undefined;
    });
  trees ??= new Map();
  let found = trees.get(document);
  if (!found) {
    const containers = [...document.querySelectorAll('body > *, [id]')];
    found = containers.map(treeOf).filter((tree) => tree !== null);
    trees.set(document, found);
  }
  return found;
}

let known: Map<unknown, VNode> | undefined;

/** By their elements; kept for as long as somebody looks through the page. */
function everyVNode(document: Document): Map<unknown, VNode> {
  if (known) return known;
  const left: (VNode | null)[] = [...treesIn(document)];
  known = new Map();
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (at && typeof at.type === 'string') known.set(at.__e, at);
    if (at?.__k) left.push(...at.__k);
  }
  queueMicrotask(() => {
    known = undefined;
  });
  return known;
}

function find(from: VNode, element: Element): VNode | null {
  const left: (VNode | null)[] = [from];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    if (at?.__e === element && typeof at.type === 'string') return at;
    if (at?.__k) left.push(...at.__k);
  }
  return null;
}

/** `__o` is told by preact/debug; else it is the component that renders it. */
export function ownerOf(vnode: VNode): VNode | null {
  let at = vnode.__o ?? vnode.__;
  while (at && !isComponent(at)) at = at.__o ?? at.__;
  return at ?? null;
}

function isComponent({ type }: VNode): boolean {
  return typeof type === 'function' && !FRAGMENT.test(String(type));
}

export function componentName({ type }: VNode): string {
  const { displayName, name } = type as { displayName?: string; name?: string };
  const called = displayName || name || 'Anonymous';
  return /^(?:Memo|ForwardRef)\((.+)\)$/.exec(called)?.[1] ?? called;
}

function placeOf({ __source: source }: VNode, tag: string): Place | null {
  if (!source) return null;
  const { fileName: file, lineNumber: line, columnNumber: column = 1 } = source;
  return { file, line, column, tag, via: '__source' };
}
