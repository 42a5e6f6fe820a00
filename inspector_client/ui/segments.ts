import { freshId, h } from './dom';

export interface Segments<T extends string> {
  readonly element: HTMLElement;
  readonly value: T;
  /** Shows another one as chosen, without telling. */
  set(value: T): void;
}

/** One of a few, all in sight: radio buttons that look like one piece. Arrows walk, one stop for Tab. */
export function segments<T extends string>(
  label: string,
  choices: Record<T, string>,
  chosen: NoInfer<T>,
  choose: (value: T) => void,
): Segments<T> {
  const name = freshId('segments');
  const radios = (Object.keys(choices) as T[]).map((value) => {
    const radio = h('input', { type: 'radio', name, value, onchange: () => choose(value) });
    radio.checked = value === chosen;
    return radio;
  });
  const chips = radios.map((radio) =>
    h('label', 'chip', radio, h('span', {}, choices[radio.value as T])),
  );
  return {
    element: h('div', { class: 'segments', role: 'radiogroup', 'aria-label': label }, ...chips),
    get value() {
      return (radios.find((radio) => radio.checked)?.value ?? chosen) as T;
    },
    set(value) {
      for (const radio of radios) radio.checked = radio.value === value;
    },
  };
}
