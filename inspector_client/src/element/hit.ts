import type { Box } from '../protocol';
import { boxOf, childrenOf, contains, hostOf, innerRoot, parentOf } from './deep';

/** The innermost element at a point of the viewport, also where the browser's own hit test sees nothing. */
export function elementAt(x: number, y: number, host: Element): Element | null {
  let root: Document | ShadowRoot = document;
  let hit: Element | null = null;
  let [left, top] = [x, y];
  for (;;) {
    const inThis = root;
    const next = root
      .elementsFromPoint(left, top)
      .find((element) => element !== host && element.getRootNode() === inThis);
    if (!next) break;
    hit = next;
    const inner = innerRoot(next);
    if (!inner) break;
    if (inner.nodeType === 9) [left, top] = intoFrame(next, left, top);
    root = inner;
  }
  return beneath(hit ?? document.documentElement, x, y, host);
}

function intoFrame(frame: Element, x: number, y: number): [number, number] {
  const box = frame.getBoundingClientRect();
  return [x - box.x - frame.clientLeft, y - box.y - frame.clientTop];
}

/** What the browser skips: `pointer-events: none`, and all that a modal dialog or `inert` makes inert. */
function beneath(hit: Element, x: number, y: number, host: Element): Element {
  const missed = isBackdrop(hit, x, y) ? document.documentElement : hit;
  const anything = missed === document.documentElement || missed === document.body;
  return deepest(missed, x, y, host, anything);
}

function isBackdrop(hit: Element, x: number, y: number): boolean {
  return hit.localName === 'dialog' && !contains(boxOf(hit), x, y);
}

function deepest(
  element: Element,
  x: number,
  y: number,
  host: Element,
  anything: boolean,
): Element {
  for (const child of childrenOf(element).reverse()) {
    if (child === host || !mayHold(child, x, y)) continue;
    if (!anything && !isSkipped(child)) continue;
    const found = deepest(child, x, y, host, anything);
    if (found !== child || contains(boxOf(child), x, y)) return found;
  }
  return element;
}

function mayHold(element: Element, x: number, y: number): boolean {
  const box: Box = boxOf(element);
  const hasBox = box.width > 0 && box.height > 0;
  if (hasBox && !contains(box, x, y)) return false;
  if (!hasBox && element.childElementCount === 0 && !innerRoot(element)) return false;
  return element.checkVisibility?.({ visibilityProperty: true }) ?? true;
}

function isSkipped(element: Element): boolean {
  const style = element.ownerDocument.defaultView?.getComputedStyle(element);
  return style?.pointerEvents === 'none' || isInert(element);
}

function isInert(element: Element): boolean {
  for (let at: Element | null = element; at; at = parentOf(at))
    if (at.matches('[inert]')) return true;
  return hostOf(element.getRootNode()) === null && document.querySelector('dialog:modal') !== null
    ? element.closest('dialog:modal') === null
    : false;
}

/** Neighbours for the arrow keys. */
export function step(from: Element, key: string, host: Element): Element | null {
  const siblings = () => {
    const parent = parentOf(from);
    return parent ? childrenOf(parent).filter((element) => element !== host) : [];
  };
  switch (key) {
    case 'ArrowUp':
      return parentOf(from);
    case 'ArrowDown':
      return childrenOf(from).find((element) => element !== host && !isUnseen(element)) ?? null;
    case 'ArrowLeft':
      return siblings()[siblings().indexOf(from) - 1] ?? null;
    case 'ArrowRight':
      return siblings()[siblings().indexOf(from) + 1] ?? null;
    default:
      return null;
  }
}

function isUnseen(element: Element): boolean {
  return ['head', 'script', 'style', 'link', 'meta', 'template'].includes(element.localName);
}
