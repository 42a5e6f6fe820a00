import { button, h } from './dom';
import { words } from './words';

/** So many children at a time. */
const PORTION = 100;
const LONG_TEXT = 300;
/** Open from the beginning, as long as it is not many. */
const OPEN_DEPTH = 3;
const OPEN_MOST = 20;

type Entries = [name: string, value: unknown][];

/** A value as a tree that opens by and by: what nobody looks at is not made. */
export function jsonTree(value: unknown): HTMLElement {
  return h('div', 'tree', branch([], value, 0));
}

function branch(title: Node[], value: unknown, depth: number): HTMLElement {
  const entries: Entries = isNested(value) ? Object.entries(value) : [];
  if (!entries.length) return h('span', 'leaf', ...title, leaf(value));
  const count = Array.isArray(value) ? words.items(entries.length) : words.fields(entries.length);
  const list = h('ul');
  const fill = () => {
    if (element.open && !list.children.length) addPortion(list, entries, depth + 1);
  };
  const element = h(
    'details',
    { ontoggle: fill },
    h('summary', {}, ...title, h('span', 'count', count)),
    list,
  );
  element.open = depth === 0 || (depth < OPEN_DEPTH && entries.length <= OPEN_MOST);
  fill();
  return element;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

function addPortion(list: HTMLElement, entries: Entries, depth: number): void {
  const rest = entries.slice(PORTION);
  for (const [name, value] of entries.slice(0, PORTION))
    list.append(h('li', {}, branch([h('span', 'key', `${name}: `)], value, depth)));
  if (!rest.length) return;
  const more = button(
    words.more(Math.min(rest.length, PORTION)),
    () => {
      const before = row.previousElementSibling;
      row.remove();
      addPortion(list, rest, depth);
      focusIn(before?.nextElementSibling);
    },
    'small',
  );
  const row = h('li', {}, more);
  list.append(row);
}

/** Where the reader goes on. */
function focusIn(row: Element | null | undefined): void {
  const target = row?.querySelector<HTMLElement>('summary') ?? row;
  if (!(target instanceof HTMLElement)) return;
  if (target === row) target.tabIndex = -1;
  target.focus();
}

function leaf(value: unknown): HTMLElement {
  const name = `value ${value === null ? 'null' : typeof value}`;
  if (typeof value !== 'string' || value.length <= LONG_TEXT)
    return h('span', name, JSON.stringify(value) ?? 'undefined');
  const shown = h('span', name, `${JSON.stringify(value.slice(0, LONG_TEXT))}…`);
  const all = button(
    words.all(value.length),
    () => {
      shown.textContent = JSON.stringify(value);
      all.remove();
    },
    'small',
  );
  return h('span', {}, shown, ' ', all);
}
