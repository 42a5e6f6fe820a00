import { boxOf, childrenOf, parentOf } from '../element/deep';
import { isSecretField } from '../element/redact';
import type { Box } from '../protocol';

const PRIVATE = '[data-private]';

const isSecret = (element: Element) => element.matches(PRIVATE) || isSecretField(element);

/** It lies in something private. */
export function isPrivate(element: Element): boolean {
  for (let at: Element | null = element; at; at = parentOf(at))
    if (at.matches(PRIVATE)) return true;
  return false;
}

/** Where secrets stand, in CSS px from the corner of `element`. */
export function secretBoxes(element: Element): Box[] {
  const outer = boxOf(element);
  if (isPrivate(element)) return [{ ...outer, x: 0, y: 0 }];
  const found: Element[] = [];
  const look = (at: Element): void => {
    if (isSecret(at)) found.push(at);
    else childrenOf(at).forEach(look);
  };
  look(element);
  return found.map(boxOf).map((box) => ({ ...box, x: box.x - outer.x, y: box.y - outer.y }));
}

/** In the copy that is drawn, secrets are not even there: the boxes over them need not fit to the pixel. */
export function hideSecrets(clone: Node, isWholeSecret: boolean): void {
  if (clone.nodeType !== 1) return;
  const root = clone as HTMLElement;
  const all = [root, ...root.querySelectorAll<HTMLElement>('*')];
  const secrets = isWholeSecret ? all : all.filter(isSecret);
  for (const secret of secrets)
    for (const part of [secret, ...secret.querySelectorAll<HTMLElement>('*')])
      part.style.setProperty('visibility', 'hidden', 'important');
}

/** What a field shows is no attribute of it, and attributes are all that the drawn copy keeps. */
export function keepState(clone: Node): void {
  const { localName } = clone as Element;
  if (localName === 'input') {
    const field = clone as HTMLInputElement;
    field.toggleAttribute('checked', field.checked);
  } else if (localName === 'textarea') {
    const field = clone as HTMLTextAreaElement;
    field.textContent = field.getAttribute('value');
  } else if (localName === 'select') {
    const field = clone as HTMLSelectElement;
    const value = field.getAttribute('value');
    for (const option of field.options) option.toggleAttribute('selected', option.value === value);
  }
}
