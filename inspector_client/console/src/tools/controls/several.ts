import { h } from '../../../../ui/dom';
import type { Control, ControlOptions } from './control';

/** Any of a few choices; none of them is no value. */
export function severalControl({ field, describedBy, changed }: ControlOptions): Control {
  const choices = field.item?.choices ?? [];
  const boxes = choices.map(() =>
    h('input', { type: 'checkbox', 'aria-describedby': describedBy, onchange: tell }),
  );
  function tell(): void {
    const chosen = choices.filter((_, index) => boxes[index]?.checked);
    changed(chosen.length ? chosen : undefined);
  }
  return {
    element: h(
      'div',
      'choices',
      ...boxes.map((box, index) => h('label', {}, box, ` ${String(choices[index])}`)),
    ),
    write(value) {
      const chosen = Array.isArray(value) ? value : [];
      boxes.forEach((box, index) => {
        box.checked = chosen.includes(choices[index]);
      });
    },
  };
}
