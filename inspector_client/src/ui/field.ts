import { limits } from '../protocol';
import { h, on, textButton } from './dom';
import { texts } from './texts';

export interface Field {
  readonly element: HTMLElement;
  readonly text: string;
  focus(): void;
}

/** The text field for a note: Enter saves, Shift+Enter breaks the line, Esc cancels (null). */
export function createField(text: string, done: (text: string | null) => void): Field {
  const save = () => done(area.value.trim());
  const cancel = () => done(null);
  function onKey(event: Event): void {
    const { key, shiftKey, isComposing } = event as KeyboardEvent;
    const isSave = key === 'Enter' && !shiftKey;
    if (isComposing || !(isSave || key === 'Escape')) return;
    event.preventDefault();
    if (isSave) save();
    else cancel();
  }
  const area = on(
    h('textarea', {
      maxlength: limits.descriptionChars,
      placeholder: texts.note,
      'aria-label': texts.note,
    }),
    { keydown: onKey },
  );
  area.value = text;
  const hint = h('span', 'muted grow', texts.noteHint);
  const cancelButton = textButton(texts.cancel, cancel);
  const row = h('div', 'row', hint, cancelButton, textButton(texts.save, save, 'primary'));
  const element = h('div', 'editing', area, row);
  return {
    element,
    get text() {
      return area.value;
    },
    focus: () => area.focus({ preventScroll: true }),
  };
}
