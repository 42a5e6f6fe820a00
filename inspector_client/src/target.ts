import { commonContainer, elementsIn } from './element/area';
import { boxOf } from './element/deep';
import type { Picked } from './picking';
import type { Box, TextQuote } from './protocol';

/** What a pick is about. */
export interface Target {
  /** The one that it is described by. */
  element: Element;
  /** All of them, when it was not just one. */
  elements?: Element[];
  box: Box;
  quote?: TextQuote;
}

export function targetOf(picked: Picked, host: Element): Target {
  if (picked.mode === 'element') return { element: picked.element, box: boxOf(picked.element) };
  if (picked.mode === 'area') {
    const elements = elementsIn(picked.bounds, host);
    return { element: commonContainer(elements), elements, box: picked.bounds };
  }
  if (picked.mode === 'text') return picked;
  const [element = document.body] = picked.elements;
  return { element, elements: picked.elements, box: unionOf(picked.elements.map(boxOf)) };
}

function unionOf(all: Box[]): Box {
  const seen = all.filter(({ width, height }) => width || height);
  // All of them may be gone: a menu that was open only under the pointer.
  const boxes = seen.length > 0 ? seen : all;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
