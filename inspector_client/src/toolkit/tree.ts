// The flat tree, as it is drawn: shadow roots in the place of what they stand for, assigned nodes in their slots.
import { OVERLAY_TAG } from '../element/deep';

const UNSEEN = new Set(
  `base col colgroup datalist head link meta noscript param rp
  script source style template title track ${OVERLAY_TAG}`.split(/\s+/),
);
const BLOCKS = new Set(
  `address article aside blockquote body button dd details dialog div dl dt
  fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html iframe img input
  legend li main menu meter nav ol optgroup option p pre progress search section select summary table
  tbody td textarea tfoot th thead tr ul`.split(/\s+/),
);
const VISIBLE = { visibilityProperty: true } as const;

/** True for elements that are never part of what a page shows. */
export const isUnseen = (element: Element): boolean => UNSEEN.has(element.localName);

export const isElement = (node: Node): node is Element => node.nodeType === 1;
export const isText = (node: Node): node is Text => node.nodeType === 3;

/** `hidden`: it is not seen, but what is in it may be. `gone`: it and all in it. */
export type Presence = 'shown' | 'hidden' | 'gone';

export function presenceOf(element: Element): Presence {
  if (element.checkVisibility(VISIBLE)) return 'shown';
  if (/^(area|optgroup|option)$/.test(element.localName)) return isOff(element) ? 'gone' : 'shown';
  const { display, visibility } = getComputedStyle(element);
  if (display === 'none') return 'gone';
  if (visibility !== 'visible') return 'hidden';
  return display === 'contents' ? 'shown' : 'gone';
}

/** These have no boxes of their own where the browser draws them. */
const isOff = (element: Element): boolean => element.hasAttribute('hidden');

/** True for what no assistive technology is told, though it may be seen. */
export function isWithheld(element: Element): boolean {
  return (
    element.getAttribute('aria-hidden') === 'true' ||
    element.getAttribute('hidden') === 'until-found' ||
    element.hasAttribute('inert')
  );
}

export function eachChild(element: Element, visit: (child: Node) => void): void {
  const slot = element.localName === 'slot' ? (element as HTMLSlotElement) : null;
  const assigned = slot?.assignedNodes();
  if (assigned?.length) {
    for (const child of assigned) visit(child);
    return;
  }
  if (isFolded(element)) {
    const summary = element.querySelector(':scope>summary');
    if (summary) visit(summary);
    return;
  }
  let child = (element.shadowRoot ?? element).firstChild;
  while (child) {
    const next = child.nextSibling;
    visit(child);
    child = next;
  }
}

const isFolded = (element: Element): boolean =>
  element.localName === 'details' && !element.hasAttribute('open');

/** True if text before and after it is not part of the same line. */
export function isBlock(element: Element): boolean {
  if (BLOCKS.has(element.localName)) return true;
  const { display, position } = getComputedStyle(element);
  return !/^(inline|contents|ruby.*)$/.test(display) || position === 'absolute';
}

/** The elements that an attribute names by id, in its order, in the element's own tree. */
export function referenced(element: Element, attribute: string): Element[] {
  const ids = element.getAttribute(attribute)?.trim();
  if (!ids) return [];
  const root = element.getRootNode() as Document | ShadowRoot;
  if (!root.getElementById) return [];
  return ids
    .split(/\s+/)
    .map((id) => root.getElementById(id))
    .filter((found) => found !== null);
}

/** The document in a frame; null if it is another origin's. */
export function innerDocument(element: Element): Document | null {
  try {
    return (element as HTMLIFrameElement).contentDocument ?? null;
  } catch {
    return null;
  }
}
