// What stands in a field, or nothing of it where that is nobody else's business.
import { collapsed, isSecretField } from '../element/redact';

export const REDACTED = '<redacted>';
const FIELD_LIMIT = 1000;
const RANGES = new Set(['input', 'meter', 'progress']);

/** True for passwords, card numbers, one-time codes, and whatever the author has marked as private. */
export function isPrivate(element: Element): boolean {
  return isSecretField(element) || element.closest('[data-private]') !== null;
}

/** The value as one would read it aloud; '' for what has none. */
export function readValue(element: Element, role: string): string {
  const value = rawValue(element, role);
  return value && isPrivate(element) ? REDACTED : value;
}

function rawValue(element: Element, role: string): string {
  switch (role) {
    case 'combobox':
    case 'searchbox':
    case 'textbox':
      return textValue(element);
    case 'meter':
    case 'progressbar':
    case 'scrollbar':
    case 'separator':
    case 'slider':
    case 'spinbutton':
      return rangeValue(element);
    case 'Color':
    case 'Date':
    case 'DateTime':
    case 'Month':
    case 'Time':
    case 'Week':
      return (element as HTMLInputElement).value;
    case 'File':
      return [...((element as HTMLInputElement).files ?? [])].map(({ name }) => name).join(', ');
    default:
      return '';
  }
}

function textValue(element: Element): string {
  const { localName } = element;
  if (localName === 'select') return chosen(element as HTMLSelectElement);
  if (localName === 'input' || localName === 'textarea') {
    return collapsed((element as HTMLInputElement).value.slice(0, FIELD_LIMIT));
  }
  const { isContentEditable } = element as HTMLElement;
  const written = isContentEditable || element.getAttribute('role') !== 'combobox';
  return written ? collapsed(element.textContent?.slice(0, FIELD_LIMIT)) : '';
}

export function chosen(select: HTMLSelectElement): string {
  return [...select.selectedOptions].map((option) => collapsed(option.label)).join(', ');
}

function rangeValue(element: Element): string {
  const told = element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow');
  if (told !== null) return told;
  if (element.localName === 'progress' && !element.hasAttribute('value')) return '';
  if (!RANGES.has(element.localName)) return '';
  return String((element as HTMLInputElement | HTMLProgressElement).value);
}
