import { button, h } from './dom';
import { texts } from './texts';

const AT_ONCE = 100;
const OPEN_DEPTH = 3;
const OPEN_ITEMS = 20;

type Entries = [string, unknown][];

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

function summaryOf(value: object): string {
  return Array.isArray(value)
    ? `[ ${texts.items(value.length)} ]`
    : `{ ${texts.fields(Object.keys(value).length)} }`;
}

const written = (value: unknown): string =>
  value === undefined ? 'undefined' : JSON.stringify(value);

const leaf = (value: unknown): HTMLElement =>
  h('span', `value ${value === null ? 'null' : typeof value}`, written(value));

/** As many children as one can read at once, and a button for more. */
function addChildren(list: HTMLElement, entries: Entries, depth: number): void {
  const shown = entries.slice(0, AT_ONCE);
  const rest = entries.slice(AT_ONCE);
  list.append(...shown.map(([name, value]) => h('li', '', node(name, value, depth))));
  if (!rest.length) return;
  const more = button(
    texts.more(Math.min(rest.length, AT_ONCE)),
    () => {
      const count = list.children.length - 1;
      row.remove();
      addChildren(list, rest, depth);
      list.children[count]?.querySelector('summary')?.focus();
    },
    'small',
  );
  const row = h('li', '', more);
  list.append(row);
}

function node(name: string, value: unknown, depth: number): HTMLElement {
  const key = name ? [h('span', 'key', name), ': '] : [];
  if (!isNested(value)) return h('span', 'leaf', ...key, leaf(value));
  const entries: Entries = Object.entries(value);
  const list = h('ul', '');
  const fill = () => {
    if (element.open && !list.children.length) addChildren(list, entries, depth + 1);
  };
  const element = h(
    'details',
    { toggle: fill },
    h('summary', '', ...key, h('span', 'count', summaryOf(value))),
    list,
  );
  element.open = depth < OPEN_DEPTH && entries.length <= OPEN_ITEMS;
  fill();
  return element;
}

/** A value as a tree that opens by and by: what nobody looks at is not made. */
export function jsonTree(value: unknown): HTMLElement {
  return h('div', 'tree', node('', value, 0));
}
