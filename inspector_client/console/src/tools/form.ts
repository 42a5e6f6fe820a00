import type { State } from '../../../src/basics';
import { freshId, h } from '../../../ui/dom';
import { toolTexts as texts } from '../texts';
import { type Args, check, type Problems } from './check';
import { type Control, createControl, isGroup } from './controls/control';
import { type Field, fieldsOf } from './fields';

export interface Form {
  element: HTMLElement;
  /** Shows all that is wrong, and goes to the first of it. */
  complain(): Problems;
  /** Whether something stands there that is no value at all. */
  isUnreadable(): boolean;
}

/** Of a datalist with what an argument could be. */
export type SuggestionsFor = (name: string) => string | undefined;

interface Row {
  element: HTMLElement;
  control: Control;
  input: HTMLElement;
  say(problem: string): void;
}

/** The form of a tool: writes what a person says into `args`, and shows what others write there. */
export function createForm(schema: unknown, args: State<Args>, suggestions: SuggestionsFor): Form {
  const touched = new Set<string>();
  const rows = new Map<string, Row>();
  for (const field of fieldsOf(schema)) rows.set(field.name, createRow(field));
  const element = rows.size
    ? h('div', 'fields', ...[...rows.values()].map((row) => row.element))
    : h('p', 'empty', texts.noArguments);

  function set(name: string, value: unknown): void {
    const { [name]: _, ...rest } = args.value;
    args.set(value === undefined ? rest : { ...args.value, [name]: value });
    show();
  }
  function problems(): Problems {
    const found = check(schema, args.value);
    for (const [name, { control }] of rows) {
      const problem = control.unreadable?.();
      if (problem) found.set(name, problem);
    }
    return found;
  }
  function show(): void {
    const found = problems();
    for (const [name, row] of rows) row.say(touched.has(name) ? (found.get(name) ?? '') : '');
  }
  function createRow(field: Field): Row {
    const { name, required, description } = field;
    const id = freshId('field');
    const problem = h('p', { class: 'problem', id: `${id}-problem` });
    const more = h('p', { class: 'description', id: `${id}-description` }, description);
    const control = createControl({
      ...{ field, id, suggestions: suggestions(name), describedBy: `${more.id} ${problem.id}` },
      changed: (value) => set(name, value),
    });
    const title = [name, required && h('span', 'required', ` ${texts.required}`)];
    const isCheck = field.kind === 'boolean';
    const element = isGroup(field)
      ? h('fieldset', 'field', h('legend', {}, ...title), control.element, more, problem)
      : h(
          'div',
          isCheck ? 'field check' : 'field',
          h('label', { for: id }, ...title),
          control.element,
          more,
          problem,
        );
    element.addEventListener('focusout', () => {
      touched.add(name);
      show();
    });
    more.hidden = description === '';
    const input = element.querySelector<HTMLElement>('input, select, textarea, button') ?? element;
    return {
      ...{ element, control, input },
      say(text) {
        if (problem.textContent !== text) problem.textContent = text;
        problem.hidden = text === '';
        if (text) input.setAttribute('aria-invalid', 'true');
        else input.removeAttribute('aria-invalid');
      },
    };
  }

  args.watch((value) => {
    for (const [name, { control }] of rows) control.write(value[name]);
    show();
  });
  return {
    element,
    complain() {
      for (const name of rows.keys()) touched.add(name);
      show();
      const found = problems();
      for (const [name, { input }] of rows) {
        if (!found.has(name)) continue;
        input.focus();
        break;
      }
      return found;
    },
    isUnreadable: () => [...rows.values()].some(({ control }) => control.unreadable?.()),
  };
}
