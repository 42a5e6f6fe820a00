import type { State } from '../basics';
import type { Box } from '../protocol';
import { h } from './dom';
import { createField } from './field';
import { texts } from './texts';

export interface Note {
  readonly element: HTMLElement;
  /** Asks for the note beside what was picked; null when the user drops it. */
  write(near: Box, about: (Node | string)[]): Promise<string | null>;
}

const GAP_PX = 12;

export function createNote(waiting: State<number>): Note {
  const element = h('div', {
    class: 'note',
    role: 'dialog',
    hidden: true,
    'aria-label': texts.note,
  });
  const others = h('div', { class: 'muted' });
  waiting.watch((count) => {
    others.textContent = count ? texts.waiting(count) : '';
  });

  function place({ x, y, width, height }: Box): void {
    const { offsetWidth, offsetHeight } = element;
    const fit = (value: number, room: number) => Math.max(GAP_PX, Math.min(value, room - GAP_PX));
    const below = y + height + GAP_PX;
    const above = y - offsetHeight - GAP_PX;
    const top = below + offsetHeight > innerHeight && above > GAP_PX ? above : below;
    const left = fit(x + Math.min(0, width - offsetWidth), innerWidth - offsetWidth);
    element.style.transform = `translate(${left}px,${fit(top, innerHeight - offsetHeight)}px)`;
  }

  return {
    element,
    write(near, about) {
      const before = document.activeElement as HTMLElement | null;
      return new Promise((resolve) => {
        const field = createField('', (text) => {
          element.hidden = true;
          before?.focus({ preventScroll: true });
          resolve(text);
        });
        element.replaceChildren(h('div', { class: 'code' }, ...about), field.element, others);
        element.hidden = false;
        place(near);
        field.focus();
      });
    },
  };
}
