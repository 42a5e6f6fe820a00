import { limits } from '../protocol';
import { h, on, textButton } from './dom';
import { texts } from './texts';

export interface Field {
  readonly element: HTMLElement;
  readonly text: string;
  focus(): void;
}

interface FieldOptions {
  /** What else the note may say, between the text and the buttons. */
  below?: Node;
  /** Saving may lead on to the next note. */
  canGoOn?: boolean;
}

/**
 * The text field for a note: Enter saves, Shift+Enter breaks the line, Ctrl or Cmd with Enter saves and goes on to the
 * next, Esc cancels (null).
 */
export function createField(
  text: string,
  done: (text: string | null, goOn?: boolean) => void,
  { below = h('div'), canGoOn }: FieldOptions = {},
): Field {
  const save = () => done(area.value.trim());
  const saveAndGoOn = () => done(area.value.trim(), true);
  const cancel = () => done(null);
  function onKey(event: Event): void {
    const { key, shiftKey, ctrlKey, metaKey, isComposing } = event as KeyboardEvent;
    const goesOn = ctrlKey || metaKey;
    // On a button Enter presses it.
    const isSave = key === 'Enter' && !shiftKey && (goesOn || event.composedPath()[0] === area);
    if (isComposing || !(isSave || key === 'Escape')) return;
    event.preventDefault();
    if (!isSave) cancel();
    else if (goesOn && canGoOn) saveAndGoOn();
    else save();
  }
  const area = h('textarea', {
    maxlength: limits.descriptionChars,
    placeholder: texts.note,
    'aria-label': texts.note,
  });
  area.value = text;
  const hint = h('span', 'muted grow', texts.noteHint);
  const row = h('div', 'row', hint, textButton(texts.cancel, cancel));
  if (canGoOn) {
    const button = textButton(texts.saveAndGoOn, saveAndGoOn);
    button.title = texts.saveAndGoOnHint;
    row.append(button);
  }
  row.append(textButton(texts.save, save, 'primary'));
  const element = on(h('div', 'editing', area, below, row), { keydown: onKey });
  return {
    element,
    get text() {
      return area.value;
    },
    focus: () => area.focus({ preventScroll: true }),
  };
}
