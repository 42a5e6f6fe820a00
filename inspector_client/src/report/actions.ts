import { attempt, clip } from '../basics';
import { nameOf, roleOf } from '../element/a11y';
import { isSecretField, scrub } from '../element/redact';
import { selectorOf } from '../element/selector';
import { isTextField } from '../gate';
import type { Tell } from '../reports';

const LABEL_CHARS = 60;
const ACTIVE =
  'a,button,input,select,textarea,summary,label,[role],[tabindex],[contenteditable],[onclick]';
const PRIVATE = '[data-private]';

/** Tells what the user does; of fields only that they changed and how long they are, of secret ones not even that. */
export function watchActions(tell: Tell): void {
  const on = (type: string, read: (element: Element, event: Event) => object | undefined) =>
    addEventListener(
      type,
      (event) => {
        const [target] = event.composedPath();
        // A page may have given a form fields with the names of its methods.
        attempt(() => {
          const found = event.isTrusted && target instanceof Element && read(target, event);
          if (found) tell({ event: 'action', action: type, ...found });
        });
      },
      true,
    );
  on('click', (target) => {
    const element = target.closest(ACTIVE) ?? target;
    // What the label is for is clicked next.
    return (element as HTMLLabelElement).control && element.localName === 'label'
      ? undefined
      : described(element);
  });
  on('change', (field) => ({ ...described(field), ...lengthOf(field) }));
  on('submit', described);
  on('keydown', (target, event) => {
    const { key, repeat } = event as KeyboardEvent;
    const counts = key === 'Escape' || (key === 'Enter' && isTextField(target));
    return counts && !repeat ? { ...described(target), action: 'key', key } : undefined;
  });
}

function described(element: Element) {
  const label = element.closest(PRIVATE) ? '' : clip(scrub(nameOf(element), element), LABEL_CHARS);
  return {
    selector: clip(selectorOf(element), 300),
    role: roleOf(element) ?? element.localName,
    label: label || undefined,
  };
}

function lengthOf(field: Element) {
  const isOpen = isTextField(field) && !isSecretField(field) && !field.closest(PRIVATE);
  const isText = isOpen && !field.matches('select,[type=checkbox],[type=radio],[type=file]');
  return isText ? { chars: (field as HTMLInputElement).value.length } : {};
}
