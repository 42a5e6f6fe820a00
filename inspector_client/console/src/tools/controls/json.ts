import { h } from '../../../../ui/dom';
import { checkTexts } from '../../texts';
import { sketchOf } from '../fields';
import { parsedValue } from '../json-text';
import type { Control, ControlOptions } from './control';

const MOST_ROWS = 10;

/** Whatever is nested, as JSON; while it is none, the value stays as it was. */
export function jsonControl({ field, id, describedBy, changed }: ControlOptions): Control {
  const sketch = JSON.stringify(sketchOf(field.schema), null, 2);
  const rows = Math.min(Math.max(2, sketch.split('\n').length), MOST_ROWS);
  let value: unknown;
  const element = h('textarea', {
    ...{ id, rows, class: 'mono', spellcheck: 'false', autocomplete: 'off' },
    'aria-describedby': describedBy,
    'aria-required': field.required || undefined,
    placeholder: sketch,
    oninput() {
      const isEmpty = element.value.trim() === '';
      const parsed = parsedValue(element.value);
      if (isEmpty || parsed) value = parsed?.value;
      changed(value);
    },
  });
  return {
    element,
    write(given) {
      if (JSON.stringify(given) === JSON.stringify(value)) return;
      value = given;
      element.value = given === undefined ? '' : JSON.stringify(given, null, 2);
    },
    unreadable: () =>
      element.value.trim() && !parsedValue(element.value) ? checkTexts.noJson : '',
  };
}
