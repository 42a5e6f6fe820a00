import { freshId, h, setText } from '../../../ui/dom';
import { type Parameter, problemOf } from './commands';
import { texts } from './texts';

const LONG_TEXT = 50_000;

export interface Field {
  readonly name: string;
  readonly element: HTMLElement;
  text: string;
  /** Shows what is wrong, and returns whether all is well. */
  check(): boolean;
  clear(): void;
  focus(): void;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function controlOf({ name, schema }: Parameter, id: string): Control {
  const plain = { id, name, autocomplete: 'off', spellcheck: 'false' };
  if (schema.enum) {
    const options = schema.enum.map((each) => h('option', { value: each }, each));
    return h('select', plain, h('option', { value: '' }, '–'), ...options);
  }
  if (schema.type === 'boolean') return h('input', { ...plain, type: 'checkbox' });
  if (schema.type === 'string' && (schema.maxLength ?? 0) > LONG_TEXT)
    return h('textarea', { ...plain, rows: 3 });
  const isText = schema.type === 'string';
  return h('input', { ...plain, type: 'text', inputmode: isText ? 'text' : 'numeric' });
}

const isCheckbox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type === 'checkbox';

/** One parameter of a command: label, control, hint, and what is wrong with it. */
export function createField(parameter: Parameter, typed: () => void): Field {
  const { name, schema, isRequired } = parameter;
  const id = freshId('field');
  const hint = h('p', { class: 'hint', id: freshId('hint') });
  const wrong = h('p', { class: 'wrong', id: freshId('wrong') });
  const control = controlOf(parameter, id);
  const standard = schema.default === undefined ? '' : texts.standard(String(schema.default));
  setText(hint, [schema.description ?? '', standard].filter(Boolean).join(' · '));
  hint.hidden = !hint.textContent;
  control.setAttribute('aria-describedby', `${hint.id} ${wrong.id}`);
  control.setAttribute('aria-required', String(isRequired));
  control.addEventListener('input', () => {
    tell('');
    typed();
  });
  const optional = isRequired ? [] : [h('span', 'hint', texts.optional)];
  const label = h('label', { for: id }, h('code', '', name), ...optional);

  function tell(problem: string): void {
    setText(wrong, problem);
    wrong.hidden = !problem;
    if (problem) control.setAttribute('aria-invalid', 'true');
    else control.removeAttribute('aria-invalid');
  }
  tell('');
  const field: Field = {
    name,
    element: h('div', isCheckbox(control) ? 'field inline' : 'field', label, control, wrong, hint),
    get text() {
      if (!isCheckbox(control)) return control.value;
      return control.checked ? 'true' : '';
    },
    set text(text) {
      if (isCheckbox(control)) control.checked = text === 'true';
      else control.value = text;
      tell('');
    },
    check() {
      const problem = problemOf(parameter, field.text);
      tell(problem);
      return !problem;
    },
    clear() {
      field.text = '';
    },
    focus: () => control.focus(),
  };
  return field;
}
