import { boxOf } from './element/deep';
import type { Box } from './protocol';
import { h } from './ui/dom';

export interface Highlight {
  readonly elements: HTMLElement[];
  element(element: Element, tag: string, component?: string, place?: string): void;
  area(box: Box): void;
  hide(): void;
}

const GAP_PX = 6;

/** The box around an element, with the tip beside it. Follows the element while the page scrolls and moves. */
export function createHighlight(): Highlight {
  const box = h('div', 'box');
  const size = h('span', 'size');
  const place = h('span', 'place');
  const words = [h('b'), h('span'), place];
  const tip = h('div', 'tip', ...words, size);
  let target: Element | null = null;
  let frame = 0;

  function draw({ x, y, width, height }: Box): void {
    box.style.cssText = `transform:translate(${x}px,${y}px);width:${width}px;height:${height}px`;
    size.textContent = `${Math.round(width)} × ${Math.round(height)}`;
    const { offsetWidth, offsetHeight } = tip;
    const below = y + height + GAP_PX;
    const above = Math.max(GAP_PX, y - offsetHeight - GAP_PX);
    const top = below + offsetHeight < innerHeight ? below : above;
    const left = Math.max(GAP_PX, Math.min(x, innerWidth - offsetWidth - GAP_PX));
    tip.style.cssText = `transform:translate(${left}px,${top}px)`;
  }
  function follow(): void {
    if (!target) return;
    draw(boxOf(target));
    frame = requestAnimationFrame(follow);
  }
  function show(element: Element | null, ...shown: string[]): void {
    cancelAnimationFrame(frame);
    target = element;
    box.hidden = tip.hidden = false;
    words.forEach((word, index) => {
      word.textContent = shown[index] ?? '';
      word.hidden = !shown[index];
    });
    follow();
  }
  function hide(): void {
    cancelAnimationFrame(frame);
    target = null;
    box.hidden = tip.hidden = true;
  }
  hide();
  return {
    elements: [box, tip],
    element: (element, ...shown) => show(element, ...shown.map(String)),
    area(bounds) {
      show(null);
      draw(bounds);
    },
    hide,
  };
}
