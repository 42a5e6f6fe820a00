import { isRecord } from '../../../src/basics';
import { responseTexts as texts } from '../texts';
import { button, h } from '../ui/dom';

/** So many children at a time. */
const PORTION = 100;
const LONG_TEXT = 300;
/** Open from the beginning, as long as it is not many. */
const OPEN_DEPTH = 2;
const OPEN_MOST = 20;

/** JSON as a tree whose branches are made when they are opened. */
export function tree(value: unknown, depth = 0): HTMLElement {
  const box = h('div', 'tree');
  box.append(branch(undefined, value, depth));
  return box;
}

type Entry = [name: string | undefined, value: unknown];

function entriesOf(value: unknown): Entry[] | undefined {
  if (Array.isArray(value)) return value.map((each, index) => [String(index), each]);
  return isRecord(value) ? Object.entries(value) : undefined;
}

function branch(name: string | undefined, value: unknown, depth: number): HTMLElement {
  const entries = entriesOf(value);
  const title = name === undefined ? undefined : h('span', 'key', `${name}: `);
  if (!entries?.length) return h('div', 'leaf', title, leaf(value));
  const count = Array.isArray(value) ? texts.items(entries.length) : texts.fields(entries.length);
  const box = h('div', 'children');
  const isOpen = depth === 0 || (depth < OPEN_DEPTH && entries.length <= OPEN_MOST);
  const fill = () => {
    if (!box.childNodes.length) portion(box, entries, 0, depth + 1);
  };
  if (isOpen) fill();
  const props = { open: isOpen, ontoggle: fill };
  return h('details', props, h('summary', {}, title, h('span', 'size', count)), box);
}

function portion(box: HTMLElement, entries: Entry[], from: number, depth: number): void {
  const part = entries.slice(from, from + PORTION);
  box.append(...part.map(([name, value]) => branch(name, value, depth)));
  const rest = entries.length - from - part.length;
  if (rest <= 0) return;
  const more = button(texts.more(Math.min(rest, PORTION)), () => {
    const before = more.previousElementSibling;
    more.remove();
    portion(box, entries, from + PORTION, depth);
    focusOn(before?.nextElementSibling);
  });
  box.append(more);
}

/** Where the reader goes on. */
function focusOn(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  const target = element.querySelector<HTMLElement>('summary') ?? element;
  if (target === element) target.tabIndex = -1;
  target.focus();
}

function leaf(value: unknown): HTMLElement {
  if (typeof value !== 'string')
    return h('span', 'value', Array.isArray(value) ? '[]' : JSON.stringify(value));
  if (value.length <= LONG_TEXT) return h('span', 'string', JSON.stringify(value));
  const shown = h('span', 'string', `${JSON.stringify(value.slice(0, LONG_TEXT))}…`);
  const all = button(texts.all(value.length), () => {
    shown.textContent = JSON.stringify(value);
    all.remove();
  });
  return h('span', {}, shown, ' ', all);
}
