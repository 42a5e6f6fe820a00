import { type Child, freshId, h } from '../../../ui/dom';

/** What shows one part of the state. */
export interface Part<S> {
  readonly element: HTMLElement;
  show(state: S): void;
}

/** Like `disabled`, but keeps the focus and stays reachable. */
export function setEnabled(element: HTMLElement, isEnabled: boolean): void {
  if (isEnabled) element.removeAttribute('aria-disabled');
  else element.setAttribute('aria-disabled', 'true');
}

export const isEnabled = (element: HTMLElement): boolean => !element.hasAttribute('aria-disabled');

/** A section with its heading. */
export function section(title: string, name: string, ...children: Child[]): HTMLElement {
  const heading = h('h2', { id: freshId('heading') }, title);
  return h('section', { class: name, 'aria-labelledby': heading.id }, heading, ...children);
}
