// What an element stands in: the elements it inherits from, the frames around it, and how far they are scrolled.
import { selectorOf } from '../element/selector';

const MAX_CLASSES = 3;
const MAX_TAG = 80;
const LONG_FRAME_MS = 50;

interface Scroll {
  readonly element: Element;
  readonly left: number;
  readonly top: number;
}

/** `div#id.class`, as people write it. */
export function tagOf(element: Element): string {
  const classes = [...element.classList].slice(0, MAX_CLASSES).map((name) => `.${name}`);
  return `${element.localName}${element.id && `#${element.id}`}${classes.join('')}`.slice(
    0,
    MAX_TAG,
  );
}

/** Its name and the size of its border box in px of its own, before it is transformed. */
export function titleOf(element: Element): string {
  const { offsetWidth, offsetHeight } = element as HTMLElement;
  const { width, height } = element.getBoundingClientRect();
  const size = [offsetWidth ?? width, offsetHeight ?? height].map((px) => Math.round(px * 10) / 10);
  return `${tagOf(element)}  ${size.join(' \u00d7 ')}`;
}

/** What an element inherits from, nearest first: its parents in the flat tree, slots and shadow hosts included. */
export function inheritedFrom(element: Element): string[] {
  const names: string[] = [];
  for (let at = parentOf(element); at; at = parentOf(at)) names.push(tagOf(at));
  return names;
}

/** Selectors of the elements that an event of an element passes on its way up, nearest first. */
export function selectorsAround(element: Element, limit: number): string[] {
  const around: string[] = [];
  for (let at = outer(element); at && around.length < limit; at = outer(at))
    around.push(selectorOf(at));
  return around;
}

const outer = (element: Element): Element | null => {
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  return element.parentElement ?? host ?? null;
};

/** The origin of the document that an element is in. */
export const originOf = (element: Element): string =>
  element.ownerDocument.defaultView?.location.origin ?? '';

/** The longhands of each property name; the proper name of an alias; none if the name is no property. */
export function longhands(names: readonly string[]): Record<string, string[]> {
  const { style } = document.createElementNS('http://www.w3.org/1999/xhtml', 'i') as HTMLElement;
  const found: Record<string, string[]> = {};
  for (const name of names) {
    style.cssText = '';
    style.setProperty(name, 'inherit');
    found[name] = [...style];
  }
  return found;
}

/** The factor by which a frame's document is zoomed as a whole; CDP forgets it in what it says of boxes there. */
export function frameZoom(element: Element): number {
  let zoom = 1;
  for (const owner of ownersOf(element)) zoom *= zoomOf(owner);
  return zoom;
}

/** The factor that CSS `zoom` makes of an element's own px. */
export const zoomOf = (element: Element): number =>
  (element as Element & { currentCSSZoom?: number }).currentCSSZoom ?? 1;

/** True if something around cuts off what is too large for it, so that the page as a whole does not show it. */
export function isCutOff(element: Element): boolean {
  if (element.ownerDocument.defaultView?.frameElement) return true;
  const { body, documentElement } = element.ownerDocument;
  for (let at = parentOf(element); at; at = parentOf(at)) {
    const isPage = at === body || at === documentElement;
    if (!isPage && getComputedStyle(at).overflow !== 'visible') return true;
  }
  return false;
}

/** The inner size of this document's own frame, in px. */
export const viewSize = (): [width: number, height: number] => [innerWidth, innerHeight];

/** When the next frame has been drawn; soon in any case, for a tab behind others draws none. */
export const nextFrame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, LONG_FRAME_MS);
  });

/** Why an element is nowhere on the page. */
export function whyNoBox(element: Element): string {
  for (let at: Element | null = element; at; at = parentOf(at)) {
    const { display } = getComputedStyle(at);
    if (display === 'contents' && at === element) {
      return `${tagOf(at)} has display: contents, so only its contents are displayed.`;
    }
    if (display === 'none') return `${tagOf(at)} has display: none.`;
  }
  return `${tagOf(element)} is not displayed.`;
}

export interface Scrolls {
  /** Notes how far everything around an element is scrolled, its frames too as far as they are of this origin. */
  noteScrolls(element: Element): void;
  /** Scrolls all of that back, at once. */
  restoreScrolls(): void;
}

export function createScrolls(): Scrolls {
  let noted: Scroll[] = [];
  let pinched = 0;
  /** Where a page is enlarged by a pinch, `scrollTo` moves only the larger of the two viewports. */
  function unpinch(): void {
    const moved = (visualViewport?.offsetTop ?? 0) + (visualViewport?.offsetLeft ?? 0);
    if (moved === pinched) return;
    document.documentElement.scrollIntoView({
      behavior: 'instant',
      block: 'start',
      inline: 'start',
    });
  }
  return {
    noteScrolls(element) {
      pinched = (visualViewport?.offsetTop ?? 0) + (visualViewport?.offsetLeft ?? 0);
      for (const each of [element, ...ownersOf(element)]) {
        for (let at = parentOf(each); at; at = parentOf(at)) {
          noted.push({ element: at, left: at.scrollLeft, top: at.scrollTop });
        }
        const page = each.ownerDocument.scrollingElement;
        if (page) noted.push({ element: page, left: page.scrollLeft, top: page.scrollTop });
      }
    },
    restoreScrolls() {
      unpinch();
      for (const { element, left, top } of noted) {
        if (element.scrollLeft !== left || element.scrollTop !== top) {
          element.scrollTo({ left, top, behavior: 'instant' });
        }
      }
      noted = [];
    },
  };
}

/** What an element inherits from. */
export function parentOf(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  const parent = element.parentNode;
  return parent && 'host' in parent ? (parent as ShadowRoot).host : element.parentElement;
}

/** The frame elements around, innermost first, as far as they are of this origin. */
function ownersOf(element: Element): Element[] {
  const owners: Element[] = [];
  let owner = element.ownerDocument.defaultView?.frameElement;
  while (owner) {
    owners.push(owner);
    owner = owner.ownerDocument.defaultView?.frameElement;
  }
  return owners;
}
