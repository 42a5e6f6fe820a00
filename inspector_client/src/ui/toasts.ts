import { h } from './dom';

export interface Toasts {
  readonly element: HTMLElement;
  show(text: string): void;
}

const SHOWN_MS = 5000;

/** Short messages, the newest only; the region is there from the start, so that screen readers follow it. */
export function createToasts(): Toasts {
  const element = h('div', { class: 'toasts', role: 'status' });
  return {
    element,
    show(text) {
      const toast = h('div', 'toast', text);
      element.replaceChildren(toast);
      setTimeout(() => toast.remove(), SHOWN_MS);
    },
  };
}
