import type { State } from '../basics';
import type { Box } from '../protocol';
import { h } from './dom';
import { createField, type Field } from './field';
import { texts } from './texts';

export interface Note {
  readonly element: HTMLElement;
  /** What is written so far. */
  readonly text: string;
  /** Asks for the note beside what was picked, with `below` under the text; null when the user drops it. */
  write(
    near: Box,
    about: (Node | string)[],
    text: string,
    below: Node,
  ): Promise<WrittenNote | null>;
}

export interface WrittenNote {
  text: string;
  /** The user wants to pick the next one at once. */
  goOn: boolean;
}

const GAP_PX = 12;
/** By what comes into it later. */
const GROWS_PX = 64;

export function createNote(waiting: State<number>): Note {
  const element = h('div', {
    class: 'note',
    role: 'dialog',
    hidden: true,
    'aria-label': texts.note,
  });
  let field: Field | undefined;
  const others = h('div', 'muted');
  waiting.watch((count) => {
    others.textContent = count ? texts.waiting(count) : '';
  });

  function place({ x, y, width, height }: Box): void {
    const { offsetWidth } = element;
    const offsetHeight = element.offsetHeight + GROWS_PX;
    const fit = (value: number, room: number) => Math.max(GAP_PX, Math.min(value, room - GAP_PX));
    const below = y + height + GAP_PX;
    const above = y - offsetHeight - GAP_PX;
    const isAbove = below + offsetHeight > innerHeight && above > GAP_PX;
    const top = fit(below, innerHeight - offsetHeight);
    const left = fit(x + Math.min(0, width - offsetWidth), innerWidth - offsetWidth);
    // Above it grows upwards, away from what was picked.
    const from = isAbove ? `${y - GAP_PX}px - 100%` : `${top}px`;
    element.style.transform = `translate(${left}px,calc(${from}))`;
  }

  return {
    element,
    get text() {
      return field?.text ?? '';
    },
    write(near, about, text, below) {
      const { activeElement } = element.getRootNode() as ShadowRoot;
      const before = (activeElement ?? document.activeElement) as HTMLElement | null;
      return new Promise((resolve) => {
        const done = (written: string | null, goOn = false) => {
          element.hidden = true;
          before?.focus({ preventScroll: true });
          resolve(written === null ? null : { text: written, goOn });
        };
        field = createField(text, done, { below, canGoOn: true });
        element.replaceChildren(h('div', 'code', ...about), field.element, others);
        element.hidden = false;
        place(near);
        field.focus();
      });
    },
  };
}
