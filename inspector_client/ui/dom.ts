// What the console and the extension make their pages of. The overlay has its own src/ui/dom.ts: each of its bytes is
// counted, and its listeners have to join those that src/gate.ts puts before the page's.
type Handler<E extends Event = Event> = (event: E) => void;
type Value = string | number | boolean | undefined | Handler | Handler<KeyboardEvent>;
type Props = Record<string, Value>;
export type Child = Node | string | false | undefined | null;

/** An element, made without HTML text. A text as `given` is its class; `onclick` and the like are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  given: Props | string = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const props = typeof given === 'string' ? { class: given } : given;
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function')
      element.addEventListener(name.slice(2), value as EventListener);
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

function present(children: Child[]): (Node | string)[] {
  return children.filter((child) => child || child === '') as (Node | string)[];
}

export function button(label: string, press: () => void, name = ''): HTMLButtonElement {
  return h('button', { type: 'button', class: name || undefined, onclick: press }, label);
}

/** Writes only what differs, so that what reads changes aloud has nothing to repeat. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

let made = 0;

/** An id that no other element has, for labels and descriptions. */
export function freshId(name: string): string {
  made += 1;
  return `${name}-${made}`;
}
