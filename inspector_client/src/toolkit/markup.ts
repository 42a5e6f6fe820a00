// The markup of elements, for whoever reads it instead of looking.
import { isShown, OVERLAY_TAG } from '../element/deep';
import { markupOf } from '../element/html';
import { allMatches } from '../element/query';

/** Of an element with more in it only its own tag is told. */
const WHOLE_UP_TO_ELEMENTS = 5000;

export interface Markup {
  html: string;
  /** Characters that were cut off. */
  cut?: number;
  /** Elements inside that are not told at all. */
  inside?: number;
  hidden?: true;
}

/** How many elements match, and the markup of the first `limit` of them, each cut to `chars`. */
export function markups(selector: string, limit: number, chars: number) {
  const found = allMatches(selector).filter(({ localName }) => localName !== OVERLAY_TAG);
  const elements = found.slice(0, limit).map((element) => markup(element, chars));
  return { count: found.length, elements };
}

function markup(element: Element, chars: number): Markup {
  const html = markupOf(element, WHOLE_UP_TO_ELEMENTS);
  const inside = element.getElementsByTagName('*').length;
  return {
    html: html.slice(0, chars),
    ...(html.length > chars && { cut: html.length - chars }),
    ...(inside > WHOLE_UP_TO_ELEMENTS && { inside }),
    ...(!isShown(element) && { hidden: true as const }),
  };
}
