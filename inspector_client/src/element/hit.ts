import { boxOf, childrenOf, contains, innerRoot, insideOf, isShown, parentOf } from './deep';

/** A look asks for one box. So many fit into a frame, on pages of any size. */
const LOOKS = 600;
/** Up to here all children are looked at; of more, those near the point, and the last. */
const MANY = 200;
const NEAR = 60;

/** What is looked at for one point. */
interface Search {
  x: number;
  y: number;
  host: Element;
  looks: number;
}

/** The innermost element at a point of the viewport, also where the browser's own hit test sees nothing. */
export function elementAt(x: number, y: number, host: Element): Element {
  const page = document.documentElement;
  const hit = hitTest(document, x, y, host) ?? page;
  // Beside a modal dialog all is inert: the browser then finds its backdrop, or nothing.
  const isOutside = hit === document.body || !contains(boxOf(hit), x, y);
  return deepest(isOutside ? page : hit, { x, y, host, looks: LOOKS });
}

function hitTest(root: Document | ShadowRoot, x: number, y: number, host: Element): Element | null {
  const isHit = (element: Element | null) => element !== host && element?.getRootNode() === root;
  // The topmost is found at once; all of them take milliseconds on large pages.
  const first = root.elementFromPoint(x, y);
  const hit = isHit(first) ? first : root.elementsFromPoint(x, y).find(isHit);
  const inner = hit && innerRoot(hit);
  if (!inner) return hit ?? null;
  if (inner.nodeType === 11) return hitTest(inner, x, y, host) ?? hit;
  const frame = hit.getBoundingClientRect();
  const { scale, left, top } = insideOf(hit, frame);
  return hitTest(inner, (x - frame.x) / scale - left, (y - frame.y) / scale - top, host) ?? hit;
}

/** What the browser skips: `pointer-events: none`, and what is inert. From the page itself anything counts. */
function deepest(element: Element, search: Search): Element {
  const { x, y, host } = search;
  const anything = element === document.documentElement || element === document.body;
  for (const child of candidates(element, search)) {
    if (--search.looks < 0) break;
    const box = boxOf(child);
    if (child === host || (box.width && !contains(box, x, y)) || !isShown(child)) continue;
    if (!anything && !isSkipped(child, host)) continue;
    const found = deepest(child, search);
    if (found !== child || contains(box, x, y)) return found;
  }
  return element;
}

/** The children that may lie at the point, topmost first. */
function candidates(element: Element, search: Search): Element[] {
  const inner = innerRoot(element)?.children ?? [];
  return [element.children, inner].flatMap((list) => candidatesIn(list, search));
}

function candidatesIn(list: ArrayLike<Element>, { y }: Search): Element[] {
  const { length } = list;
  const isFew = length <= MANY;
  // Rows mostly lie in their order, so that the one at the point is found by halving.
  let [low, high] = [0, isFew ? 0 : length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (boxOf(list[middle] as Element).y > y) high = middle;
    else low = middle + 1;
  }
  const found: Element[] = [];
  for (let index = length - 1; index >= 0; index -= 1)
    if (isFew || index >= length - NEAR || Math.abs(index - low) < NEAR)
      found.push(list[index] as Element);
  return found;
}

function isSkipped(element: Element, host: Element): boolean {
  if (getComputedStyle(element).pointerEvents === 'none' || element.closest('[inert]')) return true;
  // We live in the topmost modal dialog while there is one.
  const modal = host.closest('dialog');
  return !!modal && !modal.contains(element);
}

const UNSEEN = /^(head|script|style|link|meta|template)$/;

/** Walks from an element to its neighbours, and back down the way it came up. */
export interface Walk {
  step(from: Element, key: string): Element | null | undefined;
  /** Somewhere else: there is no way back. */
  forget(): void;
}

export function createWalk(host: Element): Walk {
  let below: Element[] = [];

  return {
    step(from, key) {
      const seen = (element: Element) => element !== host && !UNSEEN.test(element.localName);
      const parent = parentOf(from);
      if (key === 'ArrowUp') {
        if (parent) below.push(from);
        return parent;
      }
      if (key === 'ArrowDown') return below.pop() ?? childrenOf(from).find(seen);
      below = [];
      const siblings = parent ? childrenOf(parent).filter(seen) : [];
      return siblings[siblings.indexOf(from) + (key === 'ArrowLeft' ? -1 : 1)];
    },
    forget() {
      below = [];
    },
  };
}
