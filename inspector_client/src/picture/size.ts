import type { Box } from '../protocol';

export type Size = Pick<Box, 'width' | 'height'>;

/** A part of a drawing has no picture without the drawing. */
export function outermostSvg(element: Element): Element {
  let found = element;
  let around = (element as Partial<SVGElement>).ownerSVGElement;
  while (around) {
    found = around;
    around = around.ownerSVGElement;
  }
  return found;
}

/** As it is laid out; a transformation is undone. */
export function sizeOf(element: Element): Size {
  const { width, height } = element.getBoundingClientRect();
  const { offsetWidth = width, offsetHeight = height } = element as Partial<HTMLElement>;
  const exact = (box: number, laidOut: number) => (Math.abs(box - laidOut) < 1 ? box : laidOut);
  return { width: exact(width, offsetWidth), height: exact(height, offsetHeight) };
}

/** A cell shares its borders with its neighbours; alone it has them whole. */
export function spareWidth(element: Element): number {
  return getComputedStyle(element).display === 'table-cell' ? 2 : 0;
}

export function partOf(whole: Element, part: Element): Box {
  const outer = whole.getBoundingClientRect();
  const { x, y, width, height } = part.getBoundingClientRect();
  return { x: x - outer.x, y: y - outer.y, width, height };
}
