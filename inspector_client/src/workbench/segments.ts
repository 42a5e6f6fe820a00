import { h, on } from '../ui/dom';

export interface Segments<T extends string> {
  readonly element: HTMLElement;
  readonly value: T | undefined;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** One of a few, side by side: chosen by a click or the arrow keys. Without `chosen` nothing is, until the user does. */
export function createSegments<T extends string>(
  name: string,
  options: Record<T, string>,
  chosen: T | undefined,
  onChoice: (value: T) => void = () => undefined,
): Segments<T> {
  const values = Object.keys(options) as T[];
  let current = chosen;
  const buttons = values.map((value) =>
    on(h('button', { type: 'button', role: 'radio' }, options[value]), {
      click: () => choose(value),
    }),
  );
  const props = { class: 'segments', role: 'radiogroup', 'aria-label': name };
  const element = on(h('div', props, ...buttons), { keydown: onKey });

  function onKey(event: Event): void {
    const { key } = event as KeyboardEvent;
    const step = STEPS[key];
    if (!step) return;
    event.preventDefault();
    const isRtl = getComputedStyle(element).direction === 'rtl' && /Left|Right/.test(key);
    const from = current ? values.indexOf(current) : -1;
    const { length } = values;
    // From nowhere, forward leads to the first and back to the last.
    const to = from < 0 ? Math.min(step, 0) : from + (isRtl ? -step : step);
    const next = values.at(((to % length) + length) % length);
    if (next) choose(next);
  }
  function choose(value: T): void {
    current = value;
    draw();
    // A click gives no focus here; but where it is in the group, it goes along.
    const { activeElement } = element.getRootNode() as ShadowRoot;
    if (element.contains(activeElement)) buttons[values.indexOf(value)]?.focus();
    onChoice(value);
  }
  function draw(): void {
    buttons.forEach((button, index) => {
      const isChosen = values[index] === current;
      button.ariaChecked = String(isChosen);
      // One stop for Tab, as radio buttons have.
      button.tabIndex = isChosen || (!current && index === 0) ? 0 : -1;
    });
  }
  draw();
  return {
    element,
    get value() {
      return current;
    },
  };
}
