import { h, newId } from './dom';

export interface Segments<K extends string> {
  readonly element: HTMLElement;
  /** Shows another one as chosen, without telling. */
  set(key: K): void;
}

/** One of a few, all in sight: radio buttons that look like one piece. */
export function segments<K extends string>(
  label: string,
  choices: Record<K, string>,
  chosen: NoInfer<K>,
  choose: (key: K) => void,
): Segments<K> {
  const name = newId();
  const radios = (Object.keys(choices) as K[]).map((value) => {
    const radio = h('input', { type: 'radio', name, value, change: () => choose(value) });
    radio.checked = value === chosen;
    return radio;
  });
  const chips = radios.map((radio) =>
    h('label', 'chip', radio, h('span', '', choices[radio.value as K])),
  );
  return {
    element: h('div', { class: 'segments', role: 'radiogroup', 'aria-label': label }, ...chips),
    set(key) {
      for (const radio of radios) radio.checked = radio.value === key;
    },
  };
}
