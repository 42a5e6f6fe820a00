import { h } from '../../../ui/dom';

/** A button that shows only a sign; `label` is its name. */
export function signButton(sign: string, label: string, press: () => void): HTMLButtonElement {
  const shown = h('span', { 'aria-hidden': 'true' }, sign);
  const props = { type: 'button', class: 'sign', title: label, 'aria-label': label };
  return h('button', { ...props, onclick: press }, shown);
}
