import { innerRoot } from '../element/deep';
import type { Place } from '../protocol';
import { placeReaderFor, readSource } from '.';
import type { Resolve } from './resolver';

/** A page that is larger is not looked through to its end. */
const MAX_ELEMENTS = 50_000;
const MAX_MS = 500;
const FRAMES = /^i?frame$/;

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

/** What fits, as far as a bounded look through the page finds it. */
export function search(fits: (element: Element) => boolean): Element[] {
  const until = performance.now() + MAX_MS;
  const found: Element[] = [];
  let count = 0;
  for (const element of everyElement(document)) {
    count += 1;
    if (count > MAX_ELEMENTS || (count % 256 === 0 && performance.now() > until)) break;
    if (fits(element)) found.push(element);
  }
  return found;
}

/** Through open shadow roots and frames. */
function* everyElement(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    // Of most elements it is clear at once that nothing is inside.
    const inner =
      element.shadowRoot ?? (FRAMES.test(element.localName) ? innerRoot(element) : null);
    if (inner) yield* everyElement(inner);
  }
}
