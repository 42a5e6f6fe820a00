import { clip, recordOf } from '../basics';
import { isSecretField, REDACTED, redactAttribute } from './redact';

const HTML_CHARS = 2000;
const WHOLE_UP_TO_ELEMENTS = 150;

/** The element's markup, cut and redacted. Copied into a document without scripts, so that nothing of the page runs. */
export function htmlOf(element: Element): string {
  const whole = element.getElementsByTagName('*').length <= WHOLE_UP_TO_ELEMENTS;
  const copy = document.implementation.createHTMLDocument('').importNode(element, whole);
  for (const part of [copy, ...copy.querySelectorAll('*')]) {
    if (part.textContent && isSecretField(part)) part.textContent = REDACTED;
    for (const attribute of part.attributes)
      attribute.value = redactAttribute(part, attribute.name, attribute.value);
  }
  return clip(copy.outerHTML, HTML_CHARS);
}

const ATTRIBUTES = 40;
const VALUE_CHARS = 300;

export function attributesOf(element: Element): Record<string, string> {
  return recordOf(element.getAttributeNames().slice(0, ATTRIBUTES), (name) =>
    clip(redactAttribute(element, name, element.getAttribute(name) ?? ''), VALUE_CHARS),
  );
}
