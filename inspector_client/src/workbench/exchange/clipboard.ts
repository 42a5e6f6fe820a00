import { h } from '../../ui/dom';

/** Copies as the browser lets us; false: not at all. `root` is where a field may be for a moment. */
export async function copied(text: string, root: ShadowRoot): Promise<boolean> {
  try {
    // Not there on plain http from another machine, and refused in some frames.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text, root);
  }
}

function copiedBySelection(text: string, root: ShadowRoot): boolean {
  const before = root.activeElement as HTMLElement | null;
  const field = h('textarea', {
    class: 'unseen',
    readonly: true,
    tabindex: -1,
    'aria-hidden': 'true',
  });
  field.value = text;
  root.append(field);
  field.focus({ preventScroll: true });
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    before?.focus({ preventScroll: true });
  }
}
