import { createSignal, type Signal } from './basics';
import { boxOf } from './element/deep';
import type { Box } from './protocol';
import { h } from './ui/dom';

export interface Highlight {
  readonly elements: HTMLElement[];
  element(element: Element, tag: string, component?: string, place?: string): void;
  area(box: Box): void;
  hide(): void;
  /** The box was drawn where it was not before: around an element, or a mere area (null). */
  readonly drawn: Signal<[element: Element | null, box: Box]>;
  /** Something else is told of now, or nothing (null): more may be put into the tip. */
  readonly told: Signal<[element: Element | null, tip: HTMLElement]>;
}

const GAP_PX = 6;

/** The box around an element, with the tip beside it. Follows the element while the page scrolls and moves. */
export function createHighlight(): Highlight {
  const drawn = createSignal<[Element | null, Box]>();
  const told = createSignal<[Element | null, HTMLElement]>();
  const box = h('div', 'box');
  const size = h('span', 'size');
  const place = h('span', 'place');
  const words = [h('b'), h('span'), place];
  const tip = h('div', 'tip', ...words, size);
  let target: Element | null = null;
  let last = '';
  let frame = 0;

  function draw(around: Box): void {
    const { x, y, width, height } = around;
    const style = `transform:translate(${x}px,${y}px);width:${width}px;height:${height}px`;
    // What has not moved costs no more than the look.
    if (style === last) return;
    last = style;
    box.style.cssText = style;
    size.textContent = `${Math.round(width)} × ${Math.round(height)}`;
    drawn.emit(target, around);
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
    last = '';
    box.hidden = tip.hidden = false;
    words.forEach((word, index) => {
      word.textContent = shown[index] ?? '';
      word.hidden = !shown[index];
    });
    told.emit(element, tip);
    follow();
  }
  function hide(): void {
    cancelAnimationFrame(frame);
    target = null;
    box.hidden = tip.hidden = true;
    told.emit(null, tip);
  }
  hide();
  return {
    elements: [box, tip],
    drawn,
    told,
    element: (element, ...shown) => show(element, ...shown.map(String)),
    area(bounds) {
      show(null);
      draw(bounds);
    },
    hide,
  };
}
