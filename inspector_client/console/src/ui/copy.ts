import { texts } from '../texts';
import { button } from './dom';

const SHOWN_MS = 2000;

/** A button that copies, and says so in its own words. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const element = button(label, async () => {
    const done = await navigator.clipboard.writeText(text()).then(
      () => true,
      () => false,
    );
    element.textContent = done ? texts.copied : texts.notCopied;
    setTimeout(() => {
      element.textContent = label;
    }, SHOWN_MS);
  });
  return element;
}
