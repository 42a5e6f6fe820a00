import { createSignal, type Signal } from '../basics';
import type { SeenItem } from '../queue/entry';
import { h, on, textButton } from '../ui/dom';
import { queueTexts, statusTexts } from '../ui/texts';
import { isHere } from './standing';

/** One way to say which inspections are to be seen. */
export interface Filter {
  readonly element: HTMLElement;
  accepts(item: SeenItem): boolean;
  readonly changed: Signal<[]>;
  /** Lets all through. */
  clear(): void;
}

const STATUSES = ['pending', 'in-progress', 'completed', 'failed'] as const;

/** By words, by status, by page, and by what others hand in. */
export function createFilter(others: Filter[]): Filter & { readonly isOn: boolean } {
  const changed = createSignal();
  const tell = () => changed.emit();
  const label = { placeholder: queueTexts.filter, 'aria-label': queueTexts.filter };
  const words = on(h('input', { type: 'search', ...label }), { input: tell, keydown: onKey });
  const options = STATUSES.map((status) => h('option', { value: status }, statusTexts[status]));
  const status = on(
    h(
      'select',
      { 'aria-label': queueTexts.status },
      h('option', { value: '' }, queueTexts.anyStatus),
      ...options,
    ),
    { change: tell },
  );
  const here = textButton(queueTexts.here, () => pressHere(here.ariaPressed !== 'true'), 'quiet');
  here.ariaPressed = 'false';
  for (const other of others) other.changed.on(tell);

  function pressHere(isPressed: boolean): void {
    here.ariaPressed = String(isPressed);
    tell();
  }
  /** The first Esc empties the field, the next closes the panel. */
  function onKey(event: Event): void {
    if ((event as KeyboardEvent).key !== 'Escape' || !words.value) return;
    event.preventDefault();
    words.value = '';
    tell();
  }
  const isOwnOn = () => !!words.value.trim() || !!status.value || here.ariaPressed === 'true';
  return {
    element: h('div', 'row filter', words, status, here, ...others.map(({ element }) => element)),
    changed,
    get isOn() {
      return isOwnOn();
    },
    accepts: (item) =>
      (!status.value || item.status === status.value) &&
      (here.ariaPressed !== 'true' || isHere(item.url)) &&
      hasWords(item, words.value) &&
      others.every((other) => other.accepts(item)),
    clear() {
      words.value = status.value = '';
      for (const other of others) other.clear();
      pressHere(false);
    },
  };
}

/** All of them, wherever they stand in it. */
function hasWords(item: SeenItem, wanted: string): boolean {
  const { description, sourceInfo, selector, agent, replies = [] } = item;
  const { file, component, elementInfo } = sourceInfo;
  const about = [description, file, component, elementInfo?.tagName, selector, agent];
  const text = [...about, ...replies.map((reply) => reply.text)].join(' ').toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
