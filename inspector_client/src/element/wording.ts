import { clip } from '../basics';
import { nameOf } from './a11y';
import { collapsed, scrub } from './redact';

const CHARS = 500;

/** What an inspection keeps of an element's text, and finds it again by. */
export function wordsOf(element: Element): string {
  return clip(scrub(collapsed(element.textContent), element), CHARS);
}

/** The same of its name. */
export function titleOf(element: Element): string {
  return clip(scrub(nameOf(element), element), CHARS);
}
