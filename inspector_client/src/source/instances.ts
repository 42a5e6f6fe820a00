import type { Place } from '../protocol';
import { placeReaderFor, readSource } from '.';
import type { Resolve } from './resolver';
import { search } from './search';

/** All elements of the page that come from the same place as this one, in document order. */
export async function instancesOf(element: Element, resolve: Resolve): Promise<Element[]> {
  const raw = readSource(element);
  if (!raw) return [];
  const resolved = await resolve(raw.places).catch(() => []);
  const own = resolved.findIndex((place) => place?.file && !place.package);
  const [first] = raw.places;
  if (own <= 0 && first) {
    const placeOf = placeReaderFor(raw.from);
    return search((each) => isSame(placeOf(each), first));
  }
  // A package's element: the same one there, by way of the same call site.
  const { localName } = raw.from;
  const wanted = raw.places.slice(0, own + 1);
  return search((each) => {
    if (each.localName !== localName) return false;
    const read = readSource(each);
    return read?.from === each && wanted.every((place, at) => isSame(read.places[at], place));
  });
}

function isSame(a: Place | null | undefined, b: Place | null | undefined): boolean {
  if (!a || !b) return !a && !b;
  return (
    a.file === b.file &&
    a.line === b.line &&
    a.column === b.column &&
    a.frame?.url === b.frame?.url &&
    a.frame?.line === b.frame?.line &&
    a.frame?.column === b.frame?.column
  );
}
