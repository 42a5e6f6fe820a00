import type { Place } from '../protocol';

/** How far out one goes from an element: its owners, the owners of those, and so on. */
export const MAX_OWNERS = 60;

/** What a framework knows of an element, before the dev server has mapped it to the project's files. */
export interface RawSource {
  framework: string;
  /** The element's own place, then the call sites of its owner components, from the inside out. */
  places: (Place | null)[];
  /** Names of those owners: `owners[0]` created the element, its call site is `places[1]`. */
  owners: string[];
}

/** One framework's way to find out; null when it does not know the element. */
export interface SourceReader {
  name: string;
  read(element: Element): RawSource | null;
  /** The element's own place alone, where that is much cheaper: for a look through the whole page. */
  placeOf?(element: Element): Place | null;
}
