import { button, h } from '../../../ui/dom';
import { words } from '../../../ui/words';

const SHOWN = 20_000;

/** A text as it is, the rest of a very long one when it is asked for. */
export function longText(text: string, name: string): HTMLElement {
  const pre = h('pre', { tabindex: 0, role: 'region', 'aria-label': name }, text.slice(0, SHOWN));
  if (text.length <= SHOWN) return pre;
  const all = button(words.all(text.length), () => {
    pre.textContent = text;
    all.remove();
    pre.focus();
  });
  return h('div', {}, pre, all);
}
