import { roleOf } from '../element/a11y';
import { queryDeep } from '../element/query';
import { selectorOf } from '../element/selector';
import { titleOf, wordsOf } from '../element/wording';
import { pageSymbol, type SourceLocation } from '../protocol';
import { search } from './search';

/** As an inspection keeps it. */
export interface Wanted {
  elementId?: string;
  selector?: string;
  tag?: string;
  text?: string;
  role?: string;
  name?: string;
}

type How =
  | { found: 'placed' | 'approximate'; by: 'id' | 'selector' | 'text'; element: Element }
  | { found: 'lost' };

/** What the companion, or the page, has taken out of a text. */
const REDACTED = /[[<]redacted[\]>]/;

/** The elements that this document has given names to. */
interface Registry {
  element(id: string): Element | null;
  id(element: Element): string;
}

/** Finds the element of an inspection in this document, which may be another than it was picked in. */
export async function refind(
  wanted: Wanted,
  locate: (element: Element) => Promise<SourceLocation>,
): Promise<object> {
  const registry = registryOf();
  const how = await find(wanted, registry);
  if (how.found === 'lost') return how;
  const { element, ...found } = how;
  const { file, line, column, exact } = await locate(element);
  return {
    ...found,
    selector: selectorOf(element),
    elementId: registry.id(element),
    ...(file && { source: { file, line, column, exact } }),
  };
}

/** The same without a word on how; null where it is gone. */
export async function findAgain(wanted: Wanted): Promise<Element | null> {
  const how = await find(wanted, registryOf());
  return how.found === 'lost' ? null : how.element;
}

function registryOf(): Registry {
  return Reflect.get(globalThis, Symbol.for(pageSymbol));
}

export async function find(wanted: Wanted, { element: named }: Registry): Promise<How> {
  const { elementId, selector } = wanted;
  const known = elementId ? named(elementId) : null;
  if (known?.isConnected) return { found: 'placed', by: 'id', element: known };
  const fitting = matching(selector).filter((each) => hasTag(each, wanted));
  const [only, ...others] = fitting;
  if (only && others.length === 0 && saysTheSame(only, wanted))
    return { found: 'placed', by: 'selector', element: only };
  const alike = fitting.find((each) => isTelling(wanted) && saysTheSame(each, wanted));
  if (alike) return { found: 'approximate', by: 'selector', element: alike };
  // Elsewhere with the same words is more likely the same than what now stands in its place.
  const [moved] = isTelling(wanted)
    ? await search((each) => hasTag(each, wanted) && saysTheSame(each, wanted))
    : [];
  if (moved) return { found: 'approximate', by: 'text', element: moved };
  return only ? { found: 'approximate', by: 'selector', element: only } : { found: 'lost' };
}

function matching(selector: string | undefined): Element[] {
  try {
    return selector ? queryDeep(selector) : [];
  } catch {
    return [];
  }
}

function hasTag({ localName }: Element, { tag }: Wanted): boolean {
  return !tag || localName === tag;
}

/** It has words to be known by. */
function isTelling({ text, role, name }: Wanted): boolean {
  return isKnown(text) || (!!role && isKnown(name));
}

function isKnown(text: string | undefined): text is string {
  return !!text && !REDACTED.test(text);
}

/** Its text; of what has none, role and name. */
function saysTheSame(element: Element, { text, role, name }: Wanted): boolean {
  if (isKnown(text)) return wordsOf(element) === text;
  if (role && isKnown(name)) return roleOf(element) === role && titleOf(element) === name;
  return true;
}
