// The page as one tree: through open shadow roots and same-origin frames.
import { attempt } from '../basics';
import type { Box } from '../protocol';

export const PIERCE = ' >>> ';
/** Our own element in the page, which is no part of it. */
export const OVERLAY_TAG = 'pageside-overlay';

/** What lies inside an element besides its children: its shadow root, or its frame's document. */
export function innerRoot(element: Element): ShadowRoot | Document | null {
  const frame = () => (element as Partial<HTMLIFrameElement>).contentDocument ?? null;
  return element.shadowRoot ?? attempt(frame, null);
}

/** Null for what is no shadow root: also for a link outside the page, whose `host` is a text. */
export function shadowHostOf(root: Node): Element | null {
  const { host } = root as Partial<ShadowRoot>;
  return typeof host === 'object' ? host : null;
}

/** The element around a root: the shadow host, or the frame. */
export function hostOf(root: Node): Element | null {
  const { defaultView } = root as Partial<Document>;
  return shadowHostOf(root) ?? attempt(() => defaultView?.frameElement ?? null, null);
}

export function parentOf(element: Element): Element | null {
  return element.parentElement ?? hostOf(element.getRootNode());
}

export function childrenOf(element: Element): Element[] {
  return [...(innerRoot(element)?.children ?? []), ...element.children];
}

/** The box in CSS px of the top page's viewport. */
export function boxOf(element: Element): Box {
  let box: Box = element.getBoundingClientRect();
  if (!box.width && !box.height && element.firstChild) {
    // `display: contents` has no box of its own: then that of what is inside.
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    box = range.getBoundingClientRect();
  }
  const { x, y, width, height } = box;
  return placedIn(element.ownerDocument, { x, y, width, height });
}

/** A box of a frame's viewport in that of the top page. */
export function placedIn(owner: Document, box: Box): Box {
  const frame = hostOf(owner);
  if (!frame) return box;
  const outer = boxOf(frame);
  const { scale, left, top } = insideOf(frame, outer);
  return {
    x: outer.x + (left + box.x) * scale,
    y: outer.y + (top + box.y) * scale,
    width: box.width * scale,
    height: box.height * scale,
  };
}

/** Where a frame's own viewport begins in it, and how much larger it is on the screen, by transforms and `zoom`. */
export function insideOf(frame: Element, { width }: Box) {
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  return {
    scale: width / (frame as HTMLElement).offsetWidth || 1,
    left: frame.clientLeft + Number.parseFloat(paddingLeft),
    top: frame.clientTop + Number.parseFloat(paddingTop),
  };
}

export function isShown(element: Element): boolean {
  return element.checkVisibility?.({ visibilityProperty: true }) ?? true;
}

export function isVisible(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width > 0 && height > 0 && isShown(element);
}

export function contains(box: Box, x: number, y: number): boolean {
  return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
}
