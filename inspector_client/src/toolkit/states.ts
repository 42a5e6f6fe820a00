// What an agent has to know about an element besides its role and name, as words for its line.
import { collapsed } from '../element/redact';
import { chosen, readValue } from './values';

type Wording = (value: string, role: string) => string;

const flag =
  (word: string): Wording =>
  (value) =>
    value === 'true' ? word : '';
const unlessFalse =
  (word: string): Wording =>
  (value) =>
    value === 'false' || value === '' ? '' : value === 'true' ? word : `${word}=${value}`;
const given =
  (word: string): Wording =>
  (value) =>
    value ? `${word}=${value}` : '';

const ARIA = new Map<string, Wording>([
  ['aria-busy', flag('busy')],
  ['aria-checked', unlessFalse('checked')],
  ['aria-current', unlessFalse('current')],
  ['aria-disabled', flag('disabled')],
  ['aria-expanded', (value) => ({ true: 'expanded', false: 'collapsed' })[value] ?? ''],
  ['aria-haspopup', (value) => unlessFalse('haspopup')(value, '')],
  ['aria-invalid', unlessFalse('invalid')],
  ['aria-level', given('level')],
  ['aria-modal', flag('modal')],
  ['aria-multiselectable', flag('multiselectable')],
  ['aria-pressed', (value) => (value === 'true' ? 'pressed' : `pressed=${value}`)],
  ['aria-readonly', flag('readonly')],
  ['aria-required', flag('required')],
  ['aria-selected', flag('selected')],
  ['aria-valuemax', given('max')],
  ['aria-valuemin', given('min')],
]);
const CONTROLS = new Set([
  'button',
  'fieldset',
  'input',
  'optgroup',
  'option',
  'select',
  'textarea',
]);
const OPTIONS_LIMIT = 200;

/** Words such as `disabled`, `checked=mixed`, `level=2`, each once. */
export function statesOf(element: Element, role: string): string[] {
  const states = CONTROLS.has(element.localName) ? controlStates(element) : otherStates(element);
  for (const name of element.getAttributeNames()) {
    const state = ARIA.get(name)?.(element.getAttribute(name) ?? '', role);
    if (state) states.push(state);
  }
  if (isEditingHost(element)) states.push('editable');
  return states.length > 1 ? [...new Set(states)] : states;
}

/** `value="…"`, and what may be chosen from a closed list. */
export function contentsOf(element: Element, role: string): string[] {
  const value = readValue(element, role);
  const told = value ? [`value=${quoted(value, 200)}`] : [];
  if (element.localName === 'select' && role === 'combobox') {
    told.push(...optionsOf(element as HTMLSelectElement));
  }
  return told;
}

export const quoted = (text: string, limit: number): string => JSON.stringify(cut(text, limit));

/** No longer than the limit, and without half a character at the end. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export function isEditingHost(element: Element): boolean {
  const editable = element.getAttribute('contenteditable');
  return editable !== null && editable !== 'false';
}

function controlStates(element: Element): string[] {
  const { required, readOnly, localName } = element as HTMLInputElement;
  const states: string[] = [];
  if (element.matches(':disabled')) states.push('disabled');
  if (required) states.push('required');
  if (readOnly) states.push('readonly');
  if (localName === 'input') states.push(...inputStates(element as HTMLInputElement));
  if (localName === 'option' && (element as HTMLOptionElement).selected) states.push('selected');
  if (localName === 'select' && (element as HTMLSelectElement).multiple) {
    states.push('multiselectable');
  }
  if (localName !== 'button' && element.matches(':user-invalid')) states.push('invalid');
  if (element.hasAttribute('popovertarget')) states.push(popoverState(element));
  return states.filter(Boolean);
}

function inputStates({ type, checked, indeterminate, min, max }: HTMLInputElement): string[] {
  if (type === 'checkbox' && indeterminate) return ['checked=mixed'];
  if (type === 'checkbox' || type === 'radio') return checked ? ['checked'] : [];
  return [min && `min=${min}`, max && `max=${max}`];
}

function otherStates(element: Element): string[] {
  const { localName } = element;
  const level = /^h([1-6])$/.exec(localName)?.[1];
  if (level && !element.hasAttribute('aria-level')) return [`level=${level}`];
  if (localName === 'summary') {
    return [element.parentElement?.hasAttribute('open') ? 'expanded' : 'collapsed'];
  }
  return localName === 'dialog' && element.matches(':modal') ? ['modal'] : [];
}

function popoverState(element: Element): string {
  const { popoverTargetElement: target } = element as HTMLButtonElement;
  if (!target) return '';
  return target.matches(':popover-open') ? 'expanded' : 'collapsed';
}

function optionsOf(select: HTMLSelectElement): string[] {
  const labels = [...select.options].map((option) => collapsed(option.label));
  if (labels.length === 1 && labels[0] === chosen(select)) return [];
  let length = 0;
  const shown = labels.filter((label) => {
    length += label.length + 3;
    return length <= OPTIONS_LIMIT;
  });
  const more = labels.length - shown.length;
  const list = more ? [...shown, `… ${more} more`] : shown;
  return [`options=${JSON.stringify(list.join('|'))}`];
}
