import { h } from '../../../ui/dom';
import { type CommandForm, type Params, paramsOf, typedOf } from './commands';
import { createField } from './field';
import { isTexts, keep, readKept } from './kept';
import { texts } from './texts';

export interface Form {
  readonly element: HTMLElement;
  /** The parameters; null when something is missing or wrong, which is then marked and has the focus. */
  read(): Params | null;
  fill(params: Params): void;
  clear(): void;
}

/** The fields of one command; what is typed is kept. */
export function createCommandForm(command: CommandForm): Form {
  const key = `form ${command.name}`;
  const typed = () => Object.fromEntries(fields.map(({ name, text }) => [name, text]));
  let isTouched = false;
  const touched = () => {
    isTouched = true;
    keep(key, typed());
  };
  const fields = command.parameters.map((each) => createField(each, touched));

  function fill(values: Record<string, string>): void {
    for (const field of fields) field.text = values[field.name] ?? '';
  }
  async function restore(): Promise<void> {
    const kept = await readKept(key);
    if (isTexts(kept) && !isTouched) fill(kept);
  }
  void restore();
  const body = fields.length
    ? fields.map(({ element }) => element)
    : [h('p', 'hint', texts.noFields)];
  return {
    element: h('div', 'fields', h('p', 'about', command.description), ...body),
    read() {
      const wrong = fields.filter((field) => !field.check());
      wrong[0]?.focus();
      return wrong.length ? null : paramsOf(command, typed());
    },
    fill(params) {
      fill(typedOf(command, params));
      touched();
    },
    clear() {
      fill({});
      touched();
    },
  };
}
