// Where the keyboard goes: the field that has the focus, and what came of typing into it.
import { hostOf, innerRoot } from '../element/deep';
import { held, limitOf, nextTask, PICKED, TOGGLES } from './fill';
import { isOverlay } from './overlay';
import { describe } from './ready';

/** `what` takes text; `error` does not; null: the keyboard is in another document. */
export type Typing = { what: string; end?: true } | { error: string } | null;

const TEXTS = /^(text|search|email|url|tel|password|number)$/;

export function createTyping() {
  let field: HTMLElement | null = null;
  let before = '';

  return {
    /** `all`: what is in it is selected; `end`: the caret goes behind it, or `end` says that a key has to do it. */
    focusedField(where: 'all' | 'end' | 'keep'): Typing {
      const element = document.hasFocus() ? focused(document) : null;
      if (!element) return null;
      const why = refusal(element);
      if (why) return { error: why };
      field = element;
      before = held(element);
      const what = describe(element);
      if (where === 'keep' || isPlaced(element, where)) return { what };
      return { what, end: true };
    },

    /** After typing: what an agent would not expect; '' if there is nothing to say. */
    async typed(): Promise<string> {
      await nextTask();
      if (!field?.isConnected) return '';
      const now = held(field);
      if (now === before) return 'The field shows nothing of it.';
      return limitOf(field, now) && `The field is full${limitOf(field, now)}.`;
    },

    /** True for what is chosen or switched rather than typed. */
    isSetAtOnce(element: Element): boolean {
      const { type } = element as HTMLInputElement;
      const isInput = element.localName === 'input' && (PICKED.has(type) || TOGGLES.has(type));
      return isInput || element.localName === 'select';
    },
  };
}

/** Null if it is in a frame that this document cannot see into. */
function focused(root: Document | ShadowRoot): HTMLElement | null {
  const active = root.activeElement;
  if (!active) return 'body' in root ? root.body : (hostOf(root) as HTMLElement);
  const inner = innerRoot(active);
  if (inner) return focused(inner);
  return /^i?frame$/.test(active.localName) ? null : (active as HTMLElement);
}

function refusal(element: HTMLElement): string {
  if (isOverlay(element)) return `the user types in Pageside’s overlay`;
  if (element.isContentEditable || ('editContext' in element && element.editContext)) return '';
  const { localName } = element;
  if (localName === 'body' || localName === 'html') return 'nothing has the focus';
  const { type, readOnly } = element as HTMLInputElement;
  const isField = localName === 'textarea' || (localName === 'input' && TEXTS.test(type));
  if (!isField) return `${describe(element)} has the focus, and takes no text`;
  if (element.matches(':disabled')) return `${describe(element)} is disabled`;
  return readOnly ? `${describe(element)} is read-only` : '';
}

function isPlaced(element: HTMLElement, where: 'all' | 'end'): boolean {
  if (element.isContentEditable) {
    const selection = element.ownerDocument.defaultView?.getSelection();
    selection?.selectAllChildren(element);
    if (where === 'end') selection?.collapseToEnd();
    return true;
  }
  const input = element as HTMLInputElement;
  if (where === 'all') input.select?.();
  // Fields for numbers and addresses know no places in their text.
  else if (input.selectionStart === null) return false;
  else input.setSelectionRange?.(input.value.length, input.value.length);
  return true;
}
