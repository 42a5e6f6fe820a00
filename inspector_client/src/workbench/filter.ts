import { createSignal, type Signal } from '../basics';
import type { SeenItem } from '../queue/entry';
import { h, on, textButton } from '../ui/dom';
import { statusTexts } from '../ui/texts';
import { isHere } from './standing';
import { intentTexts, queueTexts, severityTexts } from './texts';

/** Which inspections are to be seen. */
export interface Filter {
  readonly element: HTMLElement;
  readonly isOn: boolean;
  accepts(item: SeenItem): boolean;
  readonly changed: Signal<[]>;
  /** Offers what tells these apart. */
  offer(items: SeenItem[]): void;
  /** Lets all through. */
  clear(): void;
}

/** A list of what one property may be. */
interface Choice {
  element: HTMLSelectElement;
  told(item: SeenItem): string | undefined;
}

const { deleted: _, ...openStatusTexts } = statusTexts;

/** By words, status, intent, severity and page. */
export function createFilter(): Filter {
  const changed = createSignal();
  const tell = () => changed.emit();
  const label = { placeholder: queueTexts.filter, 'aria-label': queueTexts.filter };
  const words = on(h('input', { type: 'search', ...label }), { input: tell, keydown: onKey });
  const here = textButton(queueTexts.here, () => pressHere(here.ariaPressed !== 'true'), 'quiet');
  const { status, anyStatus, intent, anyIntent, severity, anySeverity } = queueTexts;
  const choices = [
    createChoice(status, anyStatus, openStatusTexts, (item) => item.status),
    createChoice(intent, anyIntent, intentTexts, (item) => item.intent),
    createChoice(severity, anySeverity, severityTexts, (item) => item.severity ?? 'normal'),
  ];
  const lists = choices.map(({ element }) => element);
  const isPressed = () => here.ariaPressed === 'true';
  here.ariaPressed = 'false';

  function createChoice(
    name: string,
    any: string,
    names: Record<string, string>,
    told: Choice['told'],
  ): Choice {
    const options = Object.entries(names).map(([value, text]) => h('option', { value }, text));
    const all = h('option', { value: '' }, any);
    const element = on(h('select', { 'aria-label': name }, all, ...options), { change: tell });
    return { element, told };
  }
  function pressHere(pressed: boolean): void {
    here.ariaPressed = String(pressed);
    tell();
  }
  /** The first Esc empties the field, the next closes the panel. */
  function onKey(event: Event): void {
    if ((event as KeyboardEvent).key !== 'Escape' || !words.value) return;
    event.preventDefault();
    words.value = '';
    tell();
  }
  return {
    element: h('div', 'row filter', words, here, ...lists),
    changed,
    get isOn() {
      return !!words.value.trim() || isPressed() || lists.some(({ value }) => value);
    },
    accepts: (item) =>
      choices.every(({ element, told }) => !element.value || told(item) === element.value) &&
      (!isPressed() || isHere(item.url)) &&
      hasWords(item, words.value),
    offer(items) {
      for (const { element, told } of choices)
        element.hidden = !element.value && new Set(items.map(told)).size < 2;
    },
    clear() {
      words.value = '';
      for (const list of lists) list.value = '';
      pressHere(false);
    },
  };
}

/** All of them, wherever they stand in it. */
function hasWords(item: SeenItem, wanted: string): boolean {
  const { number, description, sourceInfo, selector, agent, replies = [] } = item;
  const { file, component, elementInfo } = sourceInfo;
  const named = [number && `#${number}`, agent, component, elementInfo?.tagName];
  const about = [...named, description, file, selector];
  const text = [...about, ...replies.map((reply) => reply.text)].join(' ').toLowerCase();
  const all = wanted.toLowerCase().split(/\s+/);
  return all.every((word) => text.includes(word));
}
