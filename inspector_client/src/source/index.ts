import { parentOf } from '../element/deep';
import type { Place, Resolved, SourceLocation } from '../protocol';
import { astro } from './astro';
import { causeOf, limitOf } from './causes';
import { created } from './created';
import { marked } from './marked';
import { NAMELESS } from './owners';
import { preact } from './preact';
import type { RawSource, SourceReader } from './raw';
import { react } from './react';
import { reasons, type Why } from './reasons';
import type { Resolve } from './resolver';
import { solid } from './solid';
import { svelte } from './svelte';
import { vue } from './vue';

/** One entry per framework. */
const READERS: SourceReader[] = [astro, react, preact, vue, svelte, solid, marked, created];
const LOOKED_AT = 200;

const NOWHERE = { file: '', line: 0, column: 0 };

/** What is known at once, without asking the dev server; of the element or the nearest one around it. */
export function readSource(element: Element): (RawSource & { from: Element }) | null {
  for (let from: Element | null = element; from; from = parentOf(from))
    for (const reader of READERS) {
      const raw = reader.read(from);
      if (raw?.places.some(Boolean)) return { ...raw, from };
    }
  return null;
}

/** How elements that are known as this one is tell their own places; cheap enough for all of a page. */
export function placeReaderFor(known: Element): (element: Element) => Place | null {
  const reader = READERS.find(({ read }) => read(known)?.places.some(Boolean));
  return reader?.placeOf ?? ((element) => reader?.read(element)?.places[0] ?? null);
}

export function createLocator(resolve: Resolve): (element: Element) => Promise<SourceLocation> {
  return async (element) => {
    const around = readSource(element);
    const raw = around ?? { framework: 'none', places: [], owners: [], from: element };
    const places = await resolve(raw.places).catch(() => unchecked(raw));
    // The first place outside node_modules, from the element outwards.
    const index = places.findIndex((place) => place?.file && !place.package);
    const place = places[index];
    const { file, line, column } = place ?? NOWHERE;
    const isOwn = around?.from === element;
    const why = isOwn ? whyOf(element, place, places) : causeOf(element, around, knownBy(element));
    return {
      file,
      component: place?.component ?? raw.owners[Math.max(0, index)] ?? place?.within ?? '',
      line,
      column,
      exact: !!place?.exact && isOwn,
      ...why,
      stack: raw.owners.map((component, owner) => stackEntry(component, places[owner + 1])),
      framework: raw.framework,
    };
  };
}

/** Why a place is not exact, or what lies beyond it. */
function whyOf(
  element: Element,
  place: Resolved | null | undefined,
  places: (Resolved | null)[],
): Partial<Why> {
  if (place?.exact) return limitOf(element) ?? {};
  if (place) {
    const { reason, fix } = place;
    return { ...(reason && { reason }), ...(fix && { fix }) };
  }
  const name = places.find((each) => each?.package)?.package;
  return name ? reasons.ofPackage(name) : causeOf(element, null, knownBy(element));
}

/** The framework that rendered an element, though it does not know where that is written. */
function knownBy(element: Element): string | undefined {
  return READERS.find((reader) => reader.read(element))?.name;
}

function stackEntry(owner: string, place: Resolved | null | undefined) {
  const { file, line, column } = place ?? NOWHERE;
  const component = (NAMELESS.test(owner) && place?.tag) || owner;
  return { component, file, line, column };
}

function unchecked({ places }: RawSource): (Resolved | null)[] {
  return places.map((place) => {
    const { file, line = 0, column = 0 } = place ?? {};
    if (!file) return null;
    const library = file.includes('/node_modules/') ? file : null;
    const known = { file, line, column, component: null, package: library };
    return { ...known, exact: false, ...reasons.unchecked };
  });
}

/** The framework that rendered the page, as far as a look at its first elements tells. */
export function frameworkOf({ body }: Document): string {
  const elements = [...body.querySelectorAll('*')].slice(0, LOOKED_AT);
  for (const reader of READERS) {
    const names = elements.flatMap((element) => reader.read(element)?.framework ?? []);
    // Web components stand in plain pages.
    if (names.length > 0) return names.find((name) => name !== 'html') ?? 'html';
  }
  return 'none';
}
