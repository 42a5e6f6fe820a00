// The elements that were picked or described, so that others can name them later.
import { randomId } from '../basics';
import { pageSymbol } from '../protocol';

const elements = new Map<string, WeakRef<Element>>();
const ids = new WeakMap<Element, string>();
/** No two documents share ids. */
const suffix = randomId().slice(0, 8);

/** Proves that a document is this one, to whoever can look into it. */
export const secret = randomId();

export function idOf(element: Element): string {
  const known = ids.get(element);
  if (known) return known;
  const id = `p${elements.size + 1}-${suffix}`;
  ids.set(element, id);
  elements.set(id, new WeakRef(element));
  return id;
}

/** Null when it is gone, or was never named. */
export function elementOf(id: string): Element | null {
  return elements.get(id)?.deref() ?? null;
}

/** For a debugger that is connected to the tab: which page this is, and which elements are meant. */
export function publish(): void {
  const value = Object.freeze({ secret, element: elementOf, id: idOf });
  Object.defineProperty(globalThis, Symbol.for(pageSymbol), { value });
}
