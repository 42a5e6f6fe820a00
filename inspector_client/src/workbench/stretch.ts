import { textButton } from '../ui/dom';
import { queueTexts } from './texts';

/** So many of a list stand in the document at first: each is some thirty elements, and seven can be seen at once. */
export const STRETCH = 50;

/** The stretch of a long list that is drawn; the rest is as near as a press of a button. */
export interface Stretch {
  /** The list, between its buttons. */
  readonly elements: HTMLElement[];
  /** Where in the whole it begins. */
  readonly start: number;
  /** What of it is to be drawn. */
  of<T>(whole: T[]): T[];
  /** Goes as far as this place of the whole, or there if that is far away. */
  include(index: number): void;
  /** Back to the beginning. */
  reset(): void;
}

/** `draw` fills the list anew with what `of` says. */
export function createStretch(list: HTMLElement, draw: () => void): Stretch {
  const earlier = textButton('', growUp, 'quiet more');
  const later = textButton('', growDown, 'quiet more');
  let start = 0;
  let end = STRETCH;

  /** Its button may be gone, so the focus goes on to what has come. */
  function growUp(): void {
    const first = list.firstElementChild;
    start = Math.max(0, start - STRETCH);
    draw();
    focus(first?.previousElementSibling);
  }
  function growDown(): void {
    const last = list.lastElementChild;
    end += STRETCH;
    draw();
    focus(last?.nextElementSibling);
  }
  function label(button: HTMLElement, left: number, text: typeof queueTexts.later): void {
    button.hidden = left <= 0;
    button.textContent = text(Math.min(left, STRETCH), left);
  }
  return {
    elements: [earlier, list, later],
    get start() {
      return start;
    },
    of(whole) {
      // It may be shorter than it was.
      const tooFar = Math.min(start, Math.max(0, start + STRETCH - whole.length));
      start -= tooFar;
      end -= tooFar;
      label(earlier, start, queueTexts.earlier);
      label(later, whole.length - end, queueTexts.later);
      return whole.slice(start, end);
    },
    include(index) {
      const isNear = index >= start - STRETCH && index < end + STRETCH;
      start = isNear ? Math.min(start, index) : index - STRETCH / 2;
      start = Math.max(0, start);
      end = isNear ? Math.max(end, index + 1) : start + STRETCH;
    },
    reset() {
      start = 0;
      end = STRETCH;
    },
  };
}

function focus(element: Element | null | undefined): void {
  (element as HTMLElement | null | undefined)?.focus({ preventScroll: true });
}
