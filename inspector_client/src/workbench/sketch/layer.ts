import { attempt } from '../../basics';
import type { Box, Sketch, SketchShape } from '../../protocol';
import { h } from '../../ui/dom';
import { pathOf } from './geometry';

/** Something drawn over the page, until it is taken away. */
export interface Drawn {
  show(sketch: Sketch): void;
  remove(): void;
}

export interface SketchLayer {
  readonly element: HTMLElement;
  /** Draws it where the box is, and follows; null: there is no such box at the moment. */
  draw(anchor: () => Box | null, sketch: Sketch): Drawn;
}

function svg(tag: string, attributes: Record<string, string>, ...children: Element[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const name in attributes) element.setAttribute(name, attributes[name] ?? '');
  element.append(...children);
  return element;
}

function linesOf(shape: SketchShape): SVGElement {
  const d = pathOf(shape);
  return svg('g', {}, svg('path', { d, class: 'halo' }), svg('path', { d, class: 'ink' }));
}

/** Where sketches are shown, above the page and below the overlay's own parts. */
export function createSketchLayer(): SketchLayer {
  const sheet = svg('svg', { class: 'sketch', 'aria-hidden': 'true' });
  const following = new Map<SVGElement, () => Box | null>();
  let frame = 0;

  function follow(): void {
    for (const [group, anchor] of following) {
      const box = anchor();
      group.toggleAttribute('hidden', !box);
      if (box) group.setAttribute('transform', `translate(${box.x} ${box.y})`);
    }
    frame = following.size > 0 ? requestAnimationFrame(follow) : 0;
  }
  return {
    element: h('div', {}, sheet),
    draw(anchor, sketch) {
      const group = svg('g', {});
      const drawn: Drawn = {
        show({ shapes }) {
          // The page's storage may hold anything.
          group.replaceChildren(...attempt(() => shapes.map(linesOf), []));
        },
        remove() {
          following.delete(group);
          group.remove();
        },
      };
      drawn.show(sketch);
      following.set(group, anchor);
      sheet.append(group);
      cancelAnimationFrame(frame);
      follow();
      return drawn;
    },
  };
}
