import { listen } from './listen';

type Handlers = Record<string, (event: Event) => void>;
type Props = Record<string, string | number | boolean>;
type Child = Node | string;

/** An element, made without HTML text, so that Trusted Types has nothing to object to. A text as `props` is its class. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  given: Props | string = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const props = typeof given === 'string' ? { class: given } : given;
  for (const name in props)
    if (props[name] !== false) element.setAttribute(name, String(props[name]));
  element.append(...children);
  return element;
}

/** As `h`, with what happens on which event. */
export function on<E extends HTMLElement>(element: E, handlers: Handlers): E {
  listen(element, handlers);
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.append(shape);
  return svg;
}

export const icons = {
  pick: 'M10 2v6M10 12v6M2 10h6M12 10h6',
  area: 'M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4',
  list: 'M3 5h14M3 10h14M3 15h14',
  close: 'M5 5l10 10M15 5L5 15',
  edit: 'M12 5l3 3L7 16H4v-3z',
  reopen: 'M4 10a6 6 0 1 1 2 5M5 11v4h4',
  remove: 'M4 6h12M8 6V4h4v2M6 6v10h8V6',
};

/** A button with an icon only; the label is its name. */
export function iconButton(label: string, path: string, press: () => void, name = 'small') {
  const element = h('button', { type: 'button', class: name, title: label, 'aria-label': label });
  element.append(icon(path));
  return on(element, { click: press });
}

export function textButton(label: string, press: () => void, name = '') {
  return on(h('button', { type: 'button', class: name }, label), { click: press });
}
