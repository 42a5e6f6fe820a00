import { button, h } from '../../../../ui/dom';
import { toolTexts as texts } from '../../texts';
import { signButton } from '../../ui/sign-button';
import type { Control, ControlOptions, CreateControl } from './control';

interface Row {
  element: HTMLElement;
  control: Control;
  value: unknown;
}

/** Rows of values; no row is no value. */
export function listControl(options: ControlOptions, create: CreateControl): Control {
  const { field, id, describedBy, suggestions, changed } = options;
  const item = field.item ?? field;
  const box = h('div', 'rows-of-values');
  const more = button(texts.add(field.name), () => {
    add().control.element.focus();
    tell();
  });
  let rows: Row[] = [];
  let made = 0;

  function values(): unknown[] | undefined {
    return rows.length ? rows.map(({ value }) => value ?? '') : undefined;
  }
  function tell(): void {
    changed(values());
  }
  function add(value?: unknown): Row {
    made += 1;
    const control = create({
      ...{ field: item, id: `${id}-${made}`, describedBy, suggestions },
      changed(next) {
        row.value = next;
        tell();
      },
    });
    control.element.ariaLabel = texts.item(field.name, rows.length + 1);
    const remove = signButton('×', texts.remove(control.element.ariaLabel), () => {
      rows = rows.filter((each) => each !== row);
      row.element.remove();
      more.focus();
      tell();
    });
    const row: Row = { element: h('div', 'value-row', control.element, remove), control, value };
    if (value !== undefined) control.write(value);
    rows.push(row);
    box.append(row.element);
    return row;
  }

  return {
    element: h('div', {}, box, more),
    write(value) {
      if (JSON.stringify(value) === JSON.stringify(values())) return;
      rows = [];
      box.replaceChildren();
      if (Array.isArray(value)) for (const each of value) add(each);
    },
  };
}
