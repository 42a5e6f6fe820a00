import { createState, type State } from './basics';
import { boxOf } from './element/deep';
import type { Box } from './protocol';
import { h } from './ui/dom';

/** Of what is highlighted: its tag, its component, its place. */
export interface Told {
  element: Element | null;
  words: string[];
}
/** Where: around an element, or a mere area (null). */
export interface Drawn {
  element: Element | null;
  box: Box;
}

export interface Highlight {
  readonly box: HTMLElement;
  element(element: Element, ...words: string[]): void;
  area(box: Box): void;
  hide(): void;
  /** Null: nothing is highlighted. */
  readonly told: State<Told | null>;
  readonly drawn: State<Drawn | null>;
}

/** The tint over an element. Follows it while the page scrolls and moves; the workbench draws the rest around it. */
export function createHighlight(): Highlight {
  const told = createState<Told | null>(null);
  const drawn = createState<Drawn | null>(null);
  const box = h('div', 'box fill');
  let target: Element | null = null;
  let last = '';
  let frame = 0;

  function draw(around: Box): void {
    const { x, y, width, height } = around;
    // By its transform alone: for whatever else changes, Chromium looks through all that the page paints.
    const style = `translate(${x}px,${y}px)scale(${width},${height})`;
    // What has not moved costs no more than the look.
    if (style === last) return;
    box.style.transform = last = style;
    drawn.set({ element: target, box: around });
  }
  function follow(): void {
    if (!target) return;
    draw(boxOf(target));
    frame = requestAnimationFrame(follow);
  }
  function show(element: Element | null, words: string[]): void {
    cancelAnimationFrame(frame);
    target = element;
    last = '';
    box.hidden = false;
    told.set({ element, words });
    follow();
  }
  function hide(): void {
    cancelAnimationFrame(frame);
    target = null;
    box.hidden = true;
    told.set(null);
    drawn.set(null);
  }
  hide();
  return {
    box,
    drawn,
    told,
    element: (element, ...words) => show(element, words),
    area(bounds) {
      show(null, []);
      draw(bounds);
    },
    hide,
  };
}
