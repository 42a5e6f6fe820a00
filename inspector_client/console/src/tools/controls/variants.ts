import { h } from '../../../../ui/dom';
import { toolTexts as texts } from '../../texts';
import { problemOf } from '../check';
import type { Control, ControlOptions, CreateControl } from './control';

/** First which kind of value, then the value. */
export function variantsControl(options: ControlOptions, create: CreateControl): Control {
  const { field, id, describedBy, changed } = options;
  const box = h('div', 'variant');
  let inner: Control | undefined;
  let value: unknown;
  const kinds = h(
    'select',
    {
      ...{ id, 'aria-label': texts.kind(field.name), 'aria-describedby': describedBy },
      onchange() {
        choose(kinds.value);
        tell(kindOf(kinds.value) === 'null' ? null : undefined);
      },
    },
    h('option', { value: '' }, texts.notSet),
    ...field.variants.map(({ kind }, index) =>
      h('option', { value: index }, texts.kinds[kind] ?? kind),
    ),
  );

  function kindOf(index: string): string | undefined {
    return field.variants[Number(index)]?.kind;
  }
  function tell(next: unknown): void {
    value = next;
    changed(next);
  }
  function choose(index: string): void {
    kinds.value = index;
    const variant = index === '' ? undefined : field.variants[Number(index)];
    inner = variant && create({ ...options, field: variant, id: `${id}-value`, changed: tell });
    if (inner) inner.element.ariaLabel = field.name;
    box.replaceChildren(...(inner ? [inner.element] : []));
  }

  return {
    element: h('div', {}, kinds, box),
    write(given) {
      if (JSON.stringify(given) === JSON.stringify(value)) return;
      value = given;
      if (given === undefined) return choose('');
      const fitting = field.variants.findIndex(({ schema }) => problemOf(schema, given) === '');
      choose(String(Math.max(0, fitting)));
      inner?.write(given);
    },
    unreadable: () => inner?.unreadable?.() ?? '',
  };
}
