// What somebody can operate, whatever its role says.
import { WIDGETS } from './aria';
import { isEditingHost } from './states';

export type Reach = 'widget' | 'focus' | 'click' | null;

const NEVER = new Set(['body', 'html', 'label', 'optgroup', 'option']);
const MEDIA = /^(audio|embed|video)$/;
/** Whatever role they are given. */
const CONTROLS = new Set(['button', 'input', 'select', 'summary', 'textarea']);

/**
 * How an element is operated; null if not at all. `click`: only its handler, its cursor or `draggable` tells.
 * @param inPointer the element around it shows the hand already
 */
export function reachOf(element: Element, role: string, inPointer: boolean): Reach {
  if (WIDGETS.has(role)) return 'widget';
  if (NEVER.has(element.localName)) return null;
  if (isFocusable(element)) return 'focus';
  const takesMouse =
    element.hasAttribute('onclick') || element.getAttribute('draggable') === 'true';
  if (takesMouse) return 'click';
  return !inPointer && getComputedStyle(element).cursor === 'pointer' ? 'click' : null;
}

function isFocusable(element: Element): boolean {
  const index = element.getAttribute('tabindex');
  if (index !== null && Number(index) >= 0) return true;
  if (CONTROLS.has(element.localName) || isEditingHost(element)) return true;
  if (element.localName === 'a' && element.hasAttribute('href')) return true;
  return MEDIA.test(element.localName) && element.hasAttribute('controls');
}
