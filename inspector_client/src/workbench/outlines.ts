import type { Box } from '../protocol';
import { covering } from '../ui/box';
import { h } from '../ui/dom';

/** Boxes that stay where what they belong to is. */
export interface Outlines {
  readonly element: HTMLElement;
  /** Asked for the boxes in each frame, until it tells none. */
  show(boxes: () => Box[], numbered: boolean): void;
}

export function createOutlines(): Outlines {
  const element = h('div');
  let frame = 0;

  return {
    element,
    show(boxes, numbered) {
      cancelAnimationFrame(frame);
      follow();
      function follow(): void {
        const now = boxes();
        while (element.children.length > now.length) element.lastChild?.remove();
        now.forEach((around, index) => {
          const box = (element.children[index] ??
            element.appendChild(h('div', 'box chosen'))) as HTMLElement;
          const style = covering(around);
          box.hidden = !around.width && !around.height;
          if (box.dataset.at !== style) box.style.cssText = box.dataset.at = style;
          if (numbered) box.dataset.number = String(index + 1);
          else delete box.dataset.number;
        });
        if (now.length > 0) frame = requestAnimationFrame(follow);
      }
    },
  };
}
