import type { Place } from '../protocol';
import { markOf, placeFrom } from './marked';
import { notedFor } from './noted';
import { MAX_OWNERS, type RawSource, type SourceReader } from './raw';

/** Solid's own components are nobody's in the source; they stand between those that are. */
const OWN =
  /^(For|Show|Index|Switch|Match|Suspense|SuspenseList|ErrorBoundary|Portal|Dynamic|provider)$/;

/** Solid's node for what runs; in development it has the component and its props. */
export interface Scope {
  component?: { name?: string };
  props?: object;
  owner?: Scope | null;
}
interface Noted {
  /** What owns the elements that a template or a component gave. */
  elements: WeakMap<Element, Scope | null>;
  /** Where a component is used, by its props. */
  sites: WeakMap<object, string>;
}

export const solid: SourceReader = {
  name: 'solid',
  read,
  placeOf: (element) => markOf(element) ?? read(element)?.places[0] ?? null,
};

function read(element: Element): RawSource | null {
  const noted = notesOf(element);
  if (!noted) return null;
  const own = markOf(element);
  const top = topOf(element, noted);
  if (!top) return null;
  // Below a marked element, what has no mark was not written in a template: `innerHTML`, or a script.
  if (!own && !noted.elements.has(element) && isBelowMark(element, top)) return null;
  const scope = noted.elements.get(top);
  const places: (Place | null)[] = [own ?? dynamicPlace(noted.elements.get(element), noted)];
  const owners: string[] = [];
  for (let at = scope; at && owners.length < MAX_OWNERS; at = at.owner) {
    const name = nameOf(at);
    if (!name) continue;
    const site = siteOf(at, noted, name);
    // Where hot reloading wraps a component, the inner one of the two has no call site.
    if (name === owners.at(-1) && !places.at(-1)) places.pop();
    else owners.push(name);
    places.push(site);
  }
  return { framework: 'solid', places, owners };
}

/** What the plugin's runtime noted. */
export function notesOf(element: Element): Noted | undefined {
  return notedFor<Noted>(element, 'solid');
}

/** The element that was given by a template or component, this one or around it. */
export function topOf(element: Element, { elements }: Noted): Element | null {
  let at: Element | null = element;
  while (at && !elements.has(at)) at = at.parentElement;
  return at;
}

function isBelowMark(element: Element, top: Element): boolean {
  for (let at: Element | null = element; at; at = at === top ? null : at.parentElement)
    if (markOf(at)) return true;
  return false;
}

export function nameOf({ component }: Scope): string {
  const name = (component?.name ?? '').replace('[solid-refresh]', '');
  return OWN.test(name) ? '' : name;
}

function siteOf({ props }: Scope, { sites }: Noted, tag: string): Place | null {
  return placeFrom((props && sites.get(props)) ?? '', tag, 'createComponent');
}

/** The element of `<Dynamic component="h2">` is written there. */
function dynamicPlace(scope: Scope | null | undefined, noted: Noted): Place | null {
  return scope?.component?.name === 'Dynamic' ? siteOf(scope, noted, '') : null;
}
