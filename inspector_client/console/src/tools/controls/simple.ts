import { h } from '../../../../ui/dom';
import { toolTexts as texts } from '../../texts';
import type { Control, ControlOptions } from './control';

type Read = (text: string) => unknown;

function shown(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Empty is nothing, except where a text is needed that may be empty. */
export function textControl(options: ControlOptions): Control {
  const { required, schema } = options.field;
  const empty = required && !schema.minLength ? '' : undefined;
  return lineControl(options, (text) => (text === '' ? empty : text));
}

export function numberControl(options: ControlOptions): Control {
  return lineControl(options, readNumber, 'decimal');
}

/** A number where it looks like one. */
export function scalarControl(options: ControlOptions): Control {
  return lineControl(options, (text) => {
    if (text === '') return undefined;
    return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  });
}

/** What is no number stays as it was written: the check says so. */
function readNumber(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : text;
}

function lineControl(options: ControlOptions, read: Read, mode = 'text'): Control {
  const { field, id, describedBy, suggestions, changed } = options;
  const { default: byDefault } = field.schema;
  const props = {
    id,
    'aria-describedby': describedBy,
    'aria-required': field.required || undefined,
    placeholder: byDefault === undefined ? undefined : texts.byDefault(shown(byDefault)),
    autocomplete: 'off',
    spellcheck: 'false',
    oninput: () => changed(read(element.value)),
  };
  const element: HTMLInputElement | HTMLTextAreaElement =
    field.kind === 'text' && field.isLong
      ? h('textarea', { ...props, rows: 3 })
      : h('input', { ...props, type: 'text', inputmode: mode, list: suggestions });
  return {
    element,
    write(value) {
      // Its cursor stays where it is as long as it says the same.
      if (JSON.stringify(read(element.value)) !== JSON.stringify(value))
        element.value = shown(value);
    },
  };
}

export function booleanControl({ field, id, describedBy, changed }: ControlOptions): Control {
  const byDefault = field.schema.default === true;
  const isSaid = field.schema.default !== undefined && !field.required;
  const props = { id, type: 'checkbox', 'aria-describedby': describedBy, checked: byDefault };
  const element = h('input', {
    ...props,
    onchange: () => changed(isSaid && element.checked === byDefault ? undefined : element.checked),
  });
  return {
    element,
    write(value) {
      element.checked = value === undefined ? byDefault : value === true;
    },
  };
}

export function choiceControl({ field, id, describedBy, changed }: ControlOptions): Control {
  const { choices, schema, required } = field;
  const none = schema.default === undefined ? texts.notSet : texts.byDefault(shown(schema.default));
  const read = () => (element.value === '' ? undefined : choices[Number(element.value)]);
  const element = h(
    'select',
    {
      ...{ id, 'aria-describedby': describedBy, 'aria-required': required || undefined },
      onchange: () => changed(read()),
    },
    h('option', { value: '' }, none),
    ...choices.map((choice, index) => h('option', { value: index }, shown(choice))),
  );
  return {
    element,
    write(value) {
      const index = choices.indexOf(value);
      element.value = index < 0 ? '' : String(index);
    },
  };
}
