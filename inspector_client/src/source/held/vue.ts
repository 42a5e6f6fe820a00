import { attempt, isRecord } from '../../basics';
import { type Entry, fieldsOf, type Owner } from './held';

const MAX_OWNERS = 60;
/** A computed value's flag for: something that it depends on has changed. */
const DIRTY = 16;

interface Instance {
  type?: { name?: string; __name?: string; __file?: string; computed?: object };
  parent?: Instance | null;
  vnode?: { ctx?: Instance | null };
  props?: object;
  attrs?: object;
  data?: object;
  setupState?: object;
  /** As it was returned, refs and all; in development only. */
  devtoolsRawSetupState?: object;
  proxy?: object | null;
}

/** The instance whose template holds the element (of slot content, not the one that renders it), then its owners. */
export function vueOwners(element: Element): Owner[] {
  const vnode: unknown = Reflect.get(element, '__vnode');
  const own = isRecord(vnode) ? vnode.ctx : undefined;
  let at = (own ?? Reflect.get(element, '__vueParentComponent')) as Instance | null | undefined;
  const owners: Owner[] = [];
  for (; at && owners.length < MAX_OWNERS; at = at.vnode?.ctx ?? at.parent)
    owners.push(ownerOf(at));
  return owners;
}

function ownerOf(instance: Instance): Owner {
  const { type, props, attrs, data } = instance;
  const file = /([^/\\]+)\.\w+$/.exec(type?.__file ?? '')?.[1];
  return {
    name: type?.name ?? type?.__name ?? file ?? '',
    props: () => [...fieldsOf(raw(props)), ...fieldsOf(raw(attrs), 'attribute')].map(unwrapped),
    state: () => [
      ...fieldsOf(raw(instance.devtoolsRawSetupState ?? instance.setupState)).flatMap(fromSetup),
      ...fieldsOf(raw(data), 'data').map(unwrapped),
      ...optionsComputed(instance),
    ],
  };
}

/** What is behind a reactive proxy: to look at it there sets nothing off. */
function raw(value: unknown): unknown {
  return (isRecord(value) && value.__v_raw) || value;
}

const unwrapped = (entry: Entry): Entry => ({ ...entry, value: raw(entry.value) });

/** Refs and reactive objects; the functions, imports and constants beside them are no state. */
function fromSetup({ name, value }: Entry): Entry[] {
  if (!isRecord(value) && !Array.isArray(value)) return [];
  const held = value as Record<string, unknown>;
  if (held.__v_isRef) return [fromRef(name, held)];
  return held.__v_isReactive ? [{ name, value: raw(held), kind: 'reactive' }] : [];
}

function fromRef(name: string, ref: Record<string, unknown>): Entry {
  if (!('_value' in ref)) return { name, value: raw(attempt(() => ref.value)), kind: 'ref' };
  // Not `value`: that would compute it.
  const isComputed = 'fn' in ref || 'effect' in ref;
  const isStale = isComputed && (Number(ref.flags) & DIRTY) !== 0;
  const kind = isStale ? 'computed, before its last change' : isComputed ? 'computed' : 'ref';
  return { name, value: raw(ref._value), kind };
}

/** Here there is no way but to ask for them. */
function optionsComputed({ type, proxy }: Instance): Entry[] {
  return Object.keys(type?.computed ?? {}).map((name) => ({
    name,
    value: raw(attempt(() => proxy && Reflect.get(proxy, name))),
    kind: 'computed',
  }));
}
