import { button, h, setText } from './dom';
import { words } from './words';

const SHOWN_MS = 2000;

/** Without the clipboard API, which pages inside DevTools do not have: by a selected field. */
function copyByHand(text: string): boolean {
  const focused = document.activeElement;
  const area = h('textarea', { class: 'unseen', 'aria-hidden': 'true', tabindex: -1 });
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}

async function copyText(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyByHand(text),
  );
}

/** A button that copies what `text` gives, and says that it did. */
export function copyButton(text: () => string, label: string = words.copy): HTMLElement {
  const told = h('span', { class: 'told', role: 'status' });
  const press = async () => {
    const isCopied = await copyText(text());
    setText(told, isCopied ? words.copied : words.notCopied);
    setTimeout(() => setText(told, ''), SHOWN_MS);
  };
  const copy = button(words.copy, () => void press(), 'small');
  copy.setAttribute('aria-label', label);
  return h('span', 'copy', copy, told);
}
