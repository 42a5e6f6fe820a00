import { freshId, h } from '../../../ui/dom';
import { overviewTexts as texts } from '../texts';
import { keyedList } from '../ui/keyed';

export interface Card<T> {
  element: HTMLElement;
  /** `all`: how many there are, if not all of them are told. */
  show(items: readonly T[], all?: number): void;
}

export interface CardOptions<T> {
  title: string;
  /** What to do to get one. */
  empty: string;
  key: (item: T) => string | number;
  render: (item: T) => HTMLElement;
}

/** A titled list with a count, or a sentence in its place. */
export function card<T>({ title, empty, key, render }: CardOptions<T>): Card<T> {
  const id = freshId('card');
  const count = h('span', 'count');
  const list = h('ul', 'rows');
  const nothing = h('p', 'empty', empty);
  const update = keyedList(list, key, render);
  return {
    element: h(
      'section',
      { class: 'card', 'aria-labelledby': id },
      h('h2', { id }, title, ' ', count),
      nothing,
      list,
    ),
    show(items, all = items.length) {
      count.textContent = items.length ? texts.count(items.length, all) : '';
      nothing.hidden = items.length > 0;
      list.hidden = items.length === 0;
      update(items);
    },
  };
}
