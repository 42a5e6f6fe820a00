import { clip } from '../basics';
import { redactAttribute } from './redact';

const HTML_CHARS = 2000;
const WHOLE_UP_TO_ELEMENTS = 150;

/** The element's markup, cut and redacted. Copied into a document without scripts, so that nothing of the page runs. */
export function htmlOf(element: Element): string {
  const whole = element.getElementsByTagName('*').length <= WHOLE_UP_TO_ELEMENTS;
  const copy = document.implementation.createHTMLDocument('').importNode(element, whole);
  for (const part of [copy, ...copy.querySelectorAll('*')]) {
    for (const { name, value } of [...part.attributes]) {
      const safe = redactAttribute(part, name, value);
      if (safe !== value) part.setAttribute(name, safe);
    }
  }
  return clip(copy.outerHTML, HTML_CHARS);
}

const ATTRIBUTES = 40;
const VALUE_CHARS = 300;

export function attributesOf(element: Element): Record<string, string> {
  return Object.fromEntries(
    [...element.attributes]
      .slice(0, ATTRIBUTES)
      .map(({ name, value }) => [name, clip(redactAttribute(element, name, value), VALUE_CHARS)]),
  );
}
