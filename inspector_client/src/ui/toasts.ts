import { h } from './dom';

export interface Toasts {
  readonly element: HTMLElement;
  show(text: string): void;
}

const SHOWN_MS = 5000;

/** Short messages, the newest only; the region is there from the start, so that screen readers follow it. */
export function createToasts(): Toasts {
  const element = h('div', { class: 'toasts', role: 'status' });
  let newest: HTMLElement | undefined;
  return {
    element,
    show(text) {
      const toast = h('div', 'toast', text);
      newest?.remove();
      newest = toast;
      // Others may have put something there that stays.
      element.prepend(toast);
      setTimeout(() => toast.remove(), SHOWN_MS);
    },
  };
}
