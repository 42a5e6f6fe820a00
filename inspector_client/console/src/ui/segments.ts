import { freshId, h } from './dom';

/** A choice between a few views, as radio buttons: arrows walk, one stop for Tab. */
export function segments<T extends string>(
  name: string,
  choices: Record<T, string>,
  chosen: (value: T) => void,
): { element: HTMLElement; value(): T | undefined; choose(value: T): void } {
  const group = freshId('segments');
  const entries = Object.entries(choices) as [T, string][];
  const inputs = new Map(
    entries.map(([value]) => [
      value,
      h('input', { type: 'radio', name: group, value, onchange: () => chosen(value) }),
    ]),
  );
  return {
    element: h(
      'div',
      { class: 'segments', role: 'radiogroup', 'aria-label': name },
      ...entries.map(([value, text]) => h('label', {}, inputs.get(value), h('span', {}, text))),
    ),
    value: () => entries.find(([value]) => inputs.get(value)?.checked)?.[0],
    choose(value) {
      const input = inputs.get(value);
      if (input) input.checked = true;
    },
  };
}
