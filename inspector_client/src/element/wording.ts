import { clip } from '../basics';
import { nameOf } from './a11y';
import { collapsed, scrub } from './redact';

const CHARS = 500;

/** What an inspection keeps of an element's text, and finds it again by. */
export function wordsOf(element: Element): string {
  return clip(scrub(collapsed(element.textContent), element), CHARS);
}

/** The same as it is read, with a space between its blocks; empty for what is not to be seen. */
export function readOf(element: Element): string {
  const text = element instanceof HTMLElement ? element.innerText : '';
  return clip(scrub(collapsed(text), element), CHARS);
}

/** The same of its name. */
export function titleOf(element: Element): string {
  return clip(scrub(nameOf(element), element), CHARS);
}
