import { attempt, isRecord } from '../../basics';
import { MAX_OWNERS } from '../raw';
import { type Component, type Instance, nameOf, ownerInstance, ownerOf } from '../vue';
import { type Entry, fieldsOf, type Owner } from './held';

/** A computed value's flag for: something that it depends on has changed. */
const DIRTY = 16;

interface Kept extends Instance {
  type: Component & { computed?: object };
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
  const owners: Owner[] = [];
  for (let at = ownerInstance(element); at && owners.length < MAX_OWNERS; at = ownerOf(at))
    owners.push(createOwner(at as Kept));
  return owners;
}

function createOwner(instance: Kept): Owner {
  const { type, props, attrs, data } = instance;
  return {
    name: nameOf(type),
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
function optionsComputed({ type, proxy }: Kept): Entry[] {
  return Object.keys(type.computed ?? {}).map((name) => ({
    name,
    value: raw(attempt(() => proxy && Reflect.get(proxy, name))),
    kind: 'computed',
  }));
}
