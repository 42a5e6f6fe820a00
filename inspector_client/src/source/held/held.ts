import type { Held, HookCall } from '../../protocol';
import type { Telling } from './text';

/** A value that a component was given or keeps, as it is. */
export interface Entry {
  /** '' where it is not known. */
  name: string;
  value: unknown;
  kind?: string;
}

/** A component around an element, as its framework knows it. */
export interface Owner {
  /** '' for one without a name. */
  name: string;
  props(): Entry[];
  /** `hooks`: how its source calls them. */
  state(hooks: HookCall[]): Entry[];
}

/** One framework's way to the components that an element comes from, its own first; none if it is not its element. */
export type OwnersOf = (element: Element) => Owner[];

const ENTRIES = 30;
const CHARS = 2000;

/** As many as one cares to read. */
export function told(entries: Entry[], telling: Telling): Held[] {
  const held: Held[] = [];
  let left = CHARS;
  for (const { name, value, kind } of entries) {
    const entry = { name: name.slice(0, 100), value: telling(value, name), ...(kind && { kind }) };
    left -= JSON.stringify(entry).length;
    if (left < 0 || held.length === ENTRIES) {
      held.push({ name: '…', value: `${entries.length - held.length} more` });
      break;
    }
    held.push(entry);
  }
  return held;
}

/** The own fields of an object; those behind getters are left out. */
export function fieldsOf(value: unknown, kind?: string): Entry[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(Object.getOwnPropertyDescriptors(value))
    .filter(([, { enumerable, get }]) => enumerable && !get)
    .map(([name, { value: held }]) => ({ name, value: held, ...(kind && { kind }) }));
}
