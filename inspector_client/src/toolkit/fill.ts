// Prepares an element for a value, or sets it where typing is not how a person would; tells what came of typing.
import { isSecretField } from '../element/redact';
import { isOverlay } from './overlay';
import { describe } from './ready';

export const PICKED = new Set([
  'date',
  'time',
  'datetime-local',
  'month',
  'week',
  'color',
  'range',
]);
export const TOGGLES = new Set(['checkbox', 'radio', 'switch']);

/** `done`: it has the value. `click`: a click gives it. `type`: it is focused, all selected: type. `error`: it cannot. */
export type Filling = { done: string } | { click: true } | { type: true } | { error: string };

export function fill(given: HTMLElement, value: string): Filling {
  const element = controlOf(given);
  if (element !== given) {
    // Only the label was looked at so far.
    const { readOnly } = element as HTMLInputElement;
    if (readOnly || element.matches(':disabled'))
      return {
        error: `what it labels, ${describe(element)}, is ${readOnly ? 'read-only' : 'disabled'}`,
      };
  }
  if (element.localName === 'select') return choose(element as HTMLSelectElement, value);
  const { type } = element as HTMLInputElement;
  const kind = element.localName === 'input' ? type : '';
  if (TOGGLES.has(kind) || TOGGLES.has(element.getAttribute('role') ?? ''))
    return toggle(element, kind, value);
  if (PICKED.has(kind)) return assign(element as HTMLInputElement, value);
  if (kind === 'file') return { error: 'it takes files: use upload_file' };
  return select(element);
}

/** What a label is there for, else the element itself. */
const controlOf = (element: HTMLElement): HTMLElement =>
  (element.localName === 'label' && (element as HTMLLabelElement).control) || element;

function choose(element: HTMLSelectElement, value: string): Filling {
  const options = [...element.options];
  const wanted = element.multiple ? linesOf(value) : [value.trim()];
  const unknown = wanted.find((each) => !options.some((option) => isCalled(option, each)));
  if (unknown !== undefined) {
    const how = element.multiple ? '; it takes several, one a line' : '';
    return {
      error: `it has no option ${JSON.stringify(unknown)}; there are: ${listed(options)}${how}`,
    };
  }
  const fitting = options.filter((option) => wanted.some((each) => isCalled(option, each)));
  const chosen = element.multiple ? fitting : fitting.slice(0, 1);
  const disabled = chosen.filter((option) => option.matches(':disabled'));
  if (disabled.length) return { error: `disabled: ${listed(disabled)}` };
  for (const option of options) option.selected = chosen.includes(option);
  fire(element, 'input', 'change');
  return { done: listed(chosen) };
}

const linesOf = (value: string): string[] =>
  value
    .split('\n')
    .map((each) => each.trim())
    .filter(Boolean);

const isCalled = ({ value, label, text }: HTMLOptionElement, name: string): boolean =>
  name === value || name === label.trim() || name === text.trim();

const listed = (options: HTMLOptionElement[]): string =>
  options
    .slice(0, 50)
    .map(({ label }) => JSON.stringify(label.trim()))
    .join(', ');

function toggle(element: HTMLElement, kind: string, value: string): Filling {
  if (!/^(true|false|on|off)$/i.test(value))
    return { error: `it is switched with "true" or "false", not ${JSON.stringify(value)}` };
  const isOn = kind
    ? (element as HTMLInputElement).checked
    : element.getAttribute('aria-checked') === 'true';
  const isWanted = /^(true|on)$/i.test(value);
  if (kind === 'radio' && !isWanted && isOn)
    return { error: 'a radio button is switched off by choosing another' };
  return isOn === isWanted ? { done: `already ${isWanted}` } : { click: true };
}

function assign(element: HTMLInputElement, value: string): Filling {
  const before = element.value;
  element.value = value;
  if (element.value === value) {
    fire(element, 'input', 'change');
    return { done: value };
  }
  const meant = element.value;
  element.value = before;
  const near = meant ? ` (the nearest it takes is ${JSON.stringify(meant)})` : '';
  return { error: `${JSON.stringify(value)} is no value of <input type=${element.type}>${near}` };
}

const heldBefore = new WeakMap<Element, string>();

const isField = (element: Element): element is HTMLInputElement =>
  element.localName === 'textarea' || element.localName === 'input';

function select(element: HTMLElement): Filling {
  if (!isField(element) && !element.isContentEditable) return { error: 'it takes no text' };
  heldBefore.set(element, held(element));
  element.focus();
  if (isField(element)) element.select();
  else element.ownerDocument.defaultView?.getSelection()?.selectAllChildren(element);
  return { type: true };
}

export const held = (element: HTMLElement): string =>
  isField(element) ? element.value : plain(element.innerText);

/** As editable elements show text: with other spaces, and other ends of lines. */
const plain = (text: string): string =>
  text
    .replace(/[ \u00a0]+/g, ' ')
    .replace(/(\r?\n)+/g, '\n')
    .trim();

/** What came of typing. `error`: nothing of it is there. `note`: something else is there. Neither: it has the value. */
export interface Filled {
  error?: string;
  note?: string;
}

/** After typing: do what a browser does when the field is left, let the page react, then look. */
export async function filled(given: HTMLElement, value: string): Promise<Filled> {
  const element = controlOf(given);
  fire(element, 'change');
  await nextTask();
  const now = held(element);
  const wanted = isField(element) ? value.replace(/\r\n?/g, '\n') : plain(value);
  if (now === wanted) return {};
  const isAsBefore = now === heldBefore.get(element) && !wanted.startsWith(now);
  if (now === '' || isAsBefore) return { error: refusalOf(element, now) };
  return { note: `It did not take it as given: ${shown(element, now)}${limitOf(element, now)}.` };
}

function refusalOf(element: HTMLElement, now: string): string {
  const kind = element.localName === 'input' ? ` type=${(element as HTMLInputElement).type}` : '';
  const what = `<${element.localName}${kind}> took nothing of the value`;
  return now ? `${what}, ${shown(element, now)} as before` : `${what}, it is empty`;
}

function shown(element: HTMLElement, now: string): string {
  const isSecret = isSecretField(element) || !!element.closest('[data-private]');
  return isSecret
    ? `it holds ${now.length} characters`
    : `it holds ${JSON.stringify(now.slice(0, 200))}`;
}

export const limitOf = (element: HTMLElement, now: string): string =>
  isField(element) && element.maxLength === now.length ? ` (maxlength=${now.length})` : '';

/** Frameworks set a field back in tasks of their own; timers would wait a second in a hidden tab. */
export const nextTask = (): Promise<unknown> =>
  new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done(null);
    };
    port2.postMessage(null);
  });

function fire(element: Element, ...types: string[]): void {
  for (const type of types)
    element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
}

export const isFileInput = (element: Element): boolean =>
  element.localName === 'input' &&
  (element as HTMLInputElement).type === 'file' &&
  !isOverlay(element);

/** True if a file input takes several files. */
export const takesMany = (element: HTMLInputElement): boolean =>
  element.multiple || element.webkitdirectory;
