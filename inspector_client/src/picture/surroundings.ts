import { isRecord } from '../basics';
import { parentOf } from '../element/deep';
import type { Box } from '../protocol';

const MAX_PX = 1000;

/** What lies so far around the element, in CSS px of the viewport; null: nothing is wanted. */
export function regionAround(element: Element, around: unknown): Box | null {
  if (!isRecord(around)) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = ['left', 'top', 'right', 'bottom'].map(
    (side) => Math.max(0, Math.min(MAX_PX, Number(around[side]) || 0)),
  );
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x - left, y: y - top, width: width + left + right, height: height + top + bottom };
}

/** The nearest element whose box holds the region, as far as there is one; of a limited size. */
export function elementAround(element: Element, region: Box, maxElements: number): Element {
  let found = element;
  for (let at = parentOf(element); at && isSmall(at, maxElements); at = parentOf(at)) {
    // Another document's coordinates are others.
    const { ownerDocument } = element;
    if (at.ownerDocument !== ownerDocument || at === ownerDocument.documentElement) break;
    found = at;
    const { left, top, right, bottom } = at.getBoundingClientRect();
    const isAround = left <= region.x && top <= region.y;
    if (isAround && right >= region.x + region.width && bottom >= region.y + region.height) break;
  }
  return found;
}

function isSmall(element: Element, maxElements: number): boolean {
  return element.getElementsByTagName('*').length <= maxElements;
}

/** The region's part that lies in the box of `subject`, from the corner of that. */
export function partWithin(subject: Element, region: Box): Box {
  const { left, top, right, bottom } = subject.getBoundingClientRect();
  const [x, y] = [Math.max(left, region.x), Math.max(top, region.y)];
  const width = Math.min(right, region.x + region.width) - x;
  const height = Math.min(bottom, region.y + region.height) - y;
  return { x: x - left, y: y - top, width, height };
}
