import { limits } from '../protocol';
import { button, h } from './dom';
import { texts } from './texts';

export interface Field {
  readonly element: HTMLElement;
  focus(): void;
}

/** The text field for a note: Enter saves, Shift+Enter breaks the line, Esc cancels (null). */
export function createField(
  text: string,
  done: (text: string | null) => void,
  hint?: string,
): Field {
  const save = () => done(area.value.trim());
  const cancel = () => done(null);
  function onKey(event: Event): void {
    const { key, shiftKey, isComposing } = event as KeyboardEvent;
    if (isComposing) return;
    if (key === 'Escape') cancel();
    else if (key === 'Enter' && !shiftKey) save();
    else return;
    event.preventDefault();
  }
  const area = h('textarea', {
    rows: 3,
    maxlength: limits.descriptionChars,
    placeholder: texts.notePlaceholder,
    'aria-label': texts.noteLabel,
    on: { keydown: onKey },
  });
  area.value = text;
  const element = h(
    'div',
    { class: 'editing' },
    area,
    h(
      'div',
      { class: 'row' },
      h('span', { class: 'muted grow' }, hint ?? ''),
      button({ label: texts.cancel, text: texts.cancel, class: 'plain', press: cancel }),
      button({ label: texts.save, text: texts.save, class: 'primary', press: save }),
    ),
  );
  return { element, focus: () => area.focus({ preventScroll: true }) };
}
