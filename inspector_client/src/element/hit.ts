import { boxOf, childrenOf, contains, innerRoot, isShown, parentOf } from './deep';

/** The innermost element at a point of the viewport, also where the browser's own hit test sees nothing. */
export function elementAt(x: number, y: number, host: Element): Element {
  const page = document.documentElement;
  const hit = hitTest(document, x, y, host) ?? page;
  // Beside a modal dialog all is inert: the browser then finds its backdrop, or nothing.
  const isOutside = !contains(boxOf(hit), x, y) || hit === document.body;
  return deepest(isOutside ? page : hit, x, y, host);
}

function hitTest(root: Document | ShadowRoot, x: number, y: number, host: Element): Element | null {
  const hits = root.elementsFromPoint(x, y);
  const hit = hits.find((element) => element !== host && element.getRootNode() === root);
  const inner = hit && innerRoot(hit);
  if (!inner) return hit ?? null;
  if (inner.nodeType === 11) return hitTest(inner, x, y, host) ?? hit;
  const frame = hit.getBoundingClientRect();
  const [left, top] = [x - frame.x - hit.clientLeft, y - frame.y - hit.clientTop];
  return hitTest(inner, left, top, host) ?? hit;
}

/** What the browser skips: `pointer-events: none`, and what is inert. From the page itself anything counts. */
function deepest(element: Element, x: number, y: number, host: Element): Element {
  const anything = element === document.documentElement || element === document.body;
  for (const child of childrenOf(element).reverse()) {
    const box = boxOf(child);
    if (child === host || (box.width && !contains(box, x, y)) || !isShown(child)) continue;
    if (!anything && !isSkipped(child)) continue;
    const found = deepest(child, x, y, host);
    if (found !== child || contains(box, x, y)) return found;
  }
  return element;
}

function isSkipped(element: Element): boolean {
  if (element.closest('[inert]') || getComputedStyle(element).pointerEvents === 'none') return true;
  return !!document.querySelector('dialog:modal') && !element.closest('dialog:modal');
}

const UNSEEN = /^(head|script|style|link|meta|template)$/;

/** Neighbours for the arrow keys. */
export function step(from: Element, key: string, host: Element): Element | null | undefined {
  const seen = (element: Element) => element !== host && !UNSEEN.test(element.localName);
  const parent = parentOf(from);
  if (key === 'ArrowUp') return parent;
  if (key === 'ArrowDown') return childrenOf(from).find(seen);
  const siblings = parent ? childrenOf(parent).filter(seen) : [];
  return siblings[siblings.indexOf(from) + (key === 'ArrowLeft' ? -1 : 1)];
}
