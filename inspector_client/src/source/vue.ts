import type { Place } from '../protocol';
import { stemOf } from './owners';
import { MAX_OWNERS, type RawSource, type SourceReader } from './raw';

/** What the plugin's template compilation puts into a virtual node: file, line, column, version of the file; or a symbol. */
const KEPT = /^(?:Symbol\()?(.+):(\d+):(\d+):(\d{13})\)?$/;

export interface VNode {
  props?: Record<string, unknown> | null;
  /** The component whose template holds the tag; for slots that is not the one that renders it. */
  ctx?: Instance | null;
}

export interface Instance {
  type: Component;
  vnode: VNode;
  parent?: Instance | null;
}

export interface Component {
  name?: string;
  __name?: string;
  __file?: string;
}

export const vue: SourceReader = { name: 'vue', read, placeOf };

/** The component whose template, or code, holds the element. */
export function ownerInstance(element: Element): Instance | null {
  const vnode: VNode | undefined = Reflect.get(element, '__vnode');
  return vnode?.ctx ?? Reflect.get(element, '__vueParentComponent') ?? null;
}

function read(element: Element): RawSource | null {
  const creator = ownerInstance(element);
  if (!creator && !Reflect.has(element, '__vnode')) return null;
  const places = [placeOf(element)];
  const owners: string[] = [];
  let known = places[0] !== null;
  for (let owner = creator; owner && owners.length < MAX_OWNERS; owner = ownerOf(owner)) {
    const name = nameOf(owner.type);
    // It hands its own props on to the component that it waited for, place and all.
    if (name === 'AsyncComponentWrapper') continue;
    owners.push(name);
    const site = keptPlace(owner.vnode, /^\p{Lu}/u.test(name) ? name : '');
    places.push(site && !known ? { ...site, opaque: true } : site);
    known ||= site !== null;
  }
  return { framework: 'vue', places, owners };
}

function placeOf(element: Element): Place | null {
  const kept = keptPlace(Reflect.get(element, '__vnode'), element.localName);
  const file = kept ? undefined : ownerInstance(element)?.type.__file;
  return kept ?? (file ? { file, tag: element.localName, via: '__file' } : null);
}

function keptPlace(vnode: VNode | undefined, tag: string): Place | null {
  const [, file, line, column, version] = KEPT.exec(String(vnode?.props?.ref_key)) ?? [];
  if (file === undefined || version === undefined) return null;
  return { file, line: Number(line), column: Number(column), version, tag, via: 'vnode' };
}

/** Lexically, as the templates are written; a component made by a library's code has only who renders it. */
export function ownerOf({ vnode, parent }: Instance): Instance | null {
  return vnode.ctx ?? parent ?? null;
}

export function nameOf(type: Component): string {
  const { name, __name, __file = '' } = type;
  return name || __name || (stemOf(__file) ?? 'Anonymous');
}
