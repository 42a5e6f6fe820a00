import type { Box } from '../protocol';
import { h } from './dom';
import { createField } from './field';
import { texts } from './texts';

export interface Note {
  readonly element: HTMLElement;
  /** Asks for the note beside what was picked; null when the user drops it. */
  write(near: Box, about: string, waiting: string): Promise<string | null>;
  showWaiting(text: string): void;
}

const GAP_PX = 12;

export function createNote(): Note {
  const element = h('div', {
    class: 'note',
    role: 'dialog',
    hidden: true,
    'aria-label': texts.noteLabel,
  });
  const waiting = h('div', { class: 'muted' });

  function place({ x, y, width, height }: Box): void {
    const own = element.getBoundingClientRect();
    const fits = (value: number, size: number, all: number) =>
      Math.max(GAP_PX, Math.min(value, all - size - GAP_PX));
    const below = y + height + GAP_PX;
    const above = y - own.height - GAP_PX;
    const roomBelow = below + own.height < innerHeight;
    const top = roomBelow || above < GAP_PX ? below : above;
    const left = fits(x + Math.min(0, width - own.width), own.width, innerWidth);
    element.style.transform = `translate(${left}px,${fits(top, own.height, innerHeight)}px)`;
  }

  return {
    element,
    showWaiting(text) {
      waiting.textContent = text;
      waiting.hidden = !text;
    },
    write(near, about, waitingText) {
      const before = document.activeElement as HTMLElement | null;
      return new Promise((resolve) => {
        const field = createField(
          '',
          (text) => {
            element.hidden = true;
            element.replaceChildren();
            before?.focus?.({ preventScroll: true });
            resolve(text);
          },
          texts.noteHint,
        );
        this.showWaiting(waitingText);
        element.replaceChildren(h('div', { class: 'code' }, about), field.element, waiting);
        element.hidden = false;
        place(near);
        field.focus();
      });
    },
  };
}
