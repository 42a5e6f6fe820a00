import { listen } from '../gate';

type Value = string | number | boolean | null | undefined;
interface Props {
  class?: string;
  hidden?: boolean;
  on?: Record<string, (event: Event) => void>;
  [attribute: string]: Value | Record<string, (event: Event) => void>;
}
type Child = Node | string | null | undefined | false;

/** An element, made without HTML text, so that Trusted Types has nothing to object to. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { on, ...attributes } = props;
  if (on) listen(element, on);
  for (const [name, value] of Object.entries(attributes))
    if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, value === true ? '' : String(value));
  element.append(...children.filter((child) => child instanceof Node || typeof child === 'string'));
  return element;
}

const SVG = 'http://www.w3.org/2000/svg';

export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(shape);
  return svg;
}

export const icons = {
  pick: 'M10 2v3M10 15v3M2 10h3M15 10h3M10 5.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9',
  area: 'M3 6V3h3M14 3h3v3M17 14v3h-3M6 17H3v-3M9 3h2M9 17h2M3 9v2M17 9v2',
  list: 'M7 5h10M7 10h10M7 15h10M3 5h.01M3 10h.01M3 15h.01',
  close: 'M5 5l10 10M15 5L5 15',
  edit: 'M12.5 4.5l3 3L7 16H4v-3z',
  reopen: 'M4 10a6 6 0 1 1 2 4.5M4 15v-3.5h3.5',
  remove: 'M4 6h12M8 6V4h4v2M6 6l.7 10h6.6L14 6',
};

interface ButtonProps {
  label: string;
  press(): void;
  icon?: string;
  /** Shown beside the icon; without it the label is the button's name only. */
  text?: string;
  class?: string;
}

export function button({ label, press, icon: path, text, class: name = '' }: ButtonProps) {
  const title = text === label ? undefined : label;
  const props = { type: 'button', class: name, 'aria-label': label, title, on: { click: press } };
  return h('button', props, path && icon(path), text && h('span', {}, text));
}
