import { parentOf } from '../element/deep';
import type { Place, Resolved, SourceLocation } from '../protocol';
import type { RawSource, SourceReader } from './raw';
import { react } from './react';
import type { Resolve } from './resolver';

/** One entry per framework. */
const READERS: SourceReader[] = [react];

interface Found extends RawSource {
  /** How many elements further out this was found. */
  distance: number;
}

/** What is known at once, without asking the dev server. */
export function readSource(element: Element): Found | null {
  let distance = 0;
  for (let at: Element | null = element; at; at = parentOf(at)) {
    for (const reader of READERS) {
      const raw = reader.read(at);
      if (raw?.places.some((place) => place)) return { ...raw, distance };
    }
    distance += 1;
  }
  return null;
}

export function createLocator(resolve: Resolve): (element: Element) => Promise<SourceLocation> {
  return async (element) => {
    const raw = readSource(element);
    if (!raw) return unknown('No framework here tells where this element is written.');
    try {
      return locate(raw, await resolve(raw.places));
    } catch {
      return locate(raw, raw.places.map(unmapped));
    }
  };
}

/** The first place outside node_modules, from the element outwards. */
function locate(raw: Found, resolved: (Resolved | null)[]): SourceLocation {
  const stack = raw.owners.map((component, index) => {
    const { file, line, column } = resolved[index + 1] ?? NOWHERE;
    return { component, file, line, column };
  });
  const index = resolved.findIndex((place) => place?.file && place.package === null);
  const place = resolved[index];
  const component = place?.component ?? raw.owners[Math.max(0, index)] ?? '';
  const about = { component, stack, framework: raw.framework };
  if (!place)
    return { ...unknown('The dev server knows no file of the project for it.'), ...about };
  const { file, line, column } = place;
  if (raw.distance > 0) return { file, line, column, exact: false, reason: OUTER, ...about };
  const reason = place.reason ? { reason: place.reason } : {};
  return { file, line, column, exact: place.exact, ...reason, ...about };
}

const NOWHERE = { file: '', line: 0, column: 0 };
const OUTER =
  'Not written as JSX itself; this is the nearest element around it whose place is known.';
const UNMAPPED = 'The dev server did not answer, so the place is not checked.';

function unknown(reason: string): SourceLocation {
  return { ...NOWHERE, component: '', exact: false, reason, stack: [], framework: 'none' };
}

function unmapped(place: Place | null): Resolved | null {
  if (!place?.file) return null;
  const { file, line = 0, column = 0 } = place;
  const library = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? null;
  return { file, line, column, component: null, package: library, exact: false, reason: UNMAPPED };
}

const LOOKED_AT = 200;

/** The framework that rendered the page, as far as a look at its first elements tells. */
export function frameworkOf(root: Document): string {
  for (const element of [...root.body.querySelectorAll('*')].slice(0, LOOKED_AT)) {
    const reader = READERS.find((one) => one.read(element));
    if (reader) return reader.name;
  }
  return 'none';
}
