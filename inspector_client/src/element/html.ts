import { clip, recordOf } from '../basics';
import { sourceAttribute } from '../protocol';
import { isSecretField, REDACTED, redactAttribute } from './redact';

const HTML_CHARS = 2000;
const WHOLE_UP_TO_ELEMENTS = 150;
const PRIVATE = '[data-private]';

/** The element's markup, cut and redacted; of one with many others in it only its own tag. */
export function htmlOf(element: Element): string {
  return clip(markupOf(element, WHOLE_UP_TO_ELEMENTS), HTML_CHARS);
}

/** The markup, redacted. Copied into a document without scripts, so that nothing of the page runs. */
export function markupOf(element: Element, wholeUpTo: number): string {
  const whole = element.getElementsByTagName('*').length <= wholeUpTo;
  const copy = document.implementation.createHTMLDocument('').importNode(element, whole);
  const isPrivate = !!element.closest(PRIVATE);
  for (const part of [copy, ...copy.querySelectorAll('*')]) {
    const isHidden = isPrivate || part.matches(PRIVATE);
    // What Pageside has put there tells nothing of the page.
    part.removeAttribute(sourceAttribute);
    if (part.textContent && (isHidden || isSecretField(part))) part.textContent = REDACTED;
    for (const attribute of part.attributes) {
      const { name, value } = attribute;
      const isSecret = isHidden && name === 'value';
      attribute.value = isSecret ? REDACTED : redactAttribute(part, name, value);
    }
  }
  return copy.outerHTML;
}

const ATTRIBUTES = 40;
const VALUE_CHARS = 300;

export function attributesOf(element: Element): Record<string, string> {
  const names = element.getAttributeNames().filter((name) => name !== sourceAttribute);
  return recordOf(names.slice(0, ATTRIBUTES), (name) =>
    clip(redactAttribute(element, name, element.getAttribute(name) ?? ''), VALUE_CHARS),
  );
}
