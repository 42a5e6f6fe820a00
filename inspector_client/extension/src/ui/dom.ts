type Handler = (event: Event) => void;
type Props = Record<string, string | number | boolean | Handler>;
export type Child = Node | string;

/** What shows one part of the state. */
export interface Part<S> {
  readonly element: HTMLElement;
  show(state: S): void;
}

/** An element, made without HTML text. A text as `props` is its class; a function is called on the event of that name. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  given: Props | string = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const props = typeof given === 'string' ? { class: given } : given;
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

export function button(label: string, press: () => void, name = ''): HTMLButtonElement {
  return h('button', { type: 'button', class: name, click: press }, label);
}

/** Writes only what differs, so that what reads changes aloud has nothing to repeat. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Like `disabled`, but keeps the focus and stays reachable. */
export function setEnabled(element: HTMLElement, isEnabled: boolean): void {
  if (isEnabled) element.removeAttribute('aria-disabled');
  else element.setAttribute('aria-disabled', 'true');
}

export const isEnabled = (element: HTMLElement): boolean => !element.hasAttribute('aria-disabled');

let lastId = 0;
/** An id for labels to point at. */
export function newId(): string {
  lastId += 1;
  return `id${lastId}`;
}

/** A section with its heading. */
export function section(title: string, name: string, ...children: Child[]): HTMLElement {
  const heading = h('h2', { id: newId() }, title);
  return h('section', { class: name, 'aria-labelledby': heading.id }, heading, ...children);
}
