import { h, on } from '../ui/dom';

export interface CallFilter {
  readonly element: HTMLElement;
  /** There is such a value, so that it can be chosen. */
  know(value: string): void;
  takes(value: string): boolean;
}

/** A choice among the values that turned up so far; `all` takes every one. */
export function createCallFilter(label: string, all: string, changed: () => void): CallFilter {
  const known = new Set<string>();
  const element = on(h('select', { 'aria-label': label }, h('option', { value: '' }, all)), {
    input: changed,
  });
  return {
    element,
    know(value) {
      if (known.has(value)) return;
      known.add(value);
      element.append(h('option', { value }, value));
    },
    takes: (value) => !element.value || element.value === value,
  };
}
