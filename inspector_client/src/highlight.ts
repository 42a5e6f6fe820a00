import { boxOf } from './element/deep';
import type { Box } from './protocol';
import { h } from './ui/dom';

export interface Label {
  tag: string;
  component?: string;
  place?: string;
}

export interface Highlight {
  readonly elements: HTMLElement[];
  element(element: Element, label: Label): void;
  area(box: Box): void;
  hide(): void;
}

const GAP_PX = 6;

/** The box around an element, with the tip beside it. Follows the element while the page scrolls and moves. */
export function createHighlight(): Highlight {
  const tag = h('b');
  const component = h('span', { class: 'component' });
  const place = h('span', { class: 'place' });
  const size = h('span', { class: 'size' });
  const box = h('div', { class: 'box', hidden: true });
  const tip = h('div', { class: 'tip', hidden: true }, tag, component, place, size);
  let target: Element | null = null;
  let frame = 0;

  function draw({ x, y, width, height }: Box): void {
    Object.assign(box.style, {
      transform: `translate(${x}px,${y}px)`,
      width: `${width}px`,
      height: `${height}px`,
    });
    size.textContent = `${Math.round(width)} × ${Math.round(height)}`;
    const { offsetWidth, offsetHeight } = tip;
    const below = y + height + GAP_PX;
    const above = y - offsetHeight - GAP_PX;
    const top = below + offsetHeight < innerHeight ? below : Math.max(above, GAP_PX);
    const left = Math.max(GAP_PX, Math.min(x, innerWidth - offsetWidth - GAP_PX));
    tip.style.transform = `translate(${Math.round(left)}px,${Math.round(top)}px)`;
  }
  function follow(): void {
    if (!target) return;
    draw(boxOf(target));
    frame = requestAnimationFrame(follow);
  }
  function show(label: Label): void {
    cancelAnimationFrame(frame);
    box.hidden = tip.hidden = false;
    tag.textContent = label.tag;
    component.textContent = label.component ?? '';
    place.textContent = label.place ?? '';
  }

  return {
    elements: [box, tip],
    element(element, label) {
      show(label);
      target = element;
      box.classList.remove('area');
      follow();
    },
    area(bounds) {
      show({ tag: '' });
      target = null;
      box.classList.add('area');
      draw(bounds);
    },
    hide() {
      cancelAnimationFrame(frame);
      target = null;
      box.hidden = tip.hidden = true;
    },
  };
}
