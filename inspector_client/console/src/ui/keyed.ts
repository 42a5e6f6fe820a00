import { morph } from './morph';

interface Kept {
  element: HTMLElement;
  told: string;
}

/**
 * Shows `items` in `container`, each in an element of its own that stays as long as its key does. Items with the same key
 * are told apart by their order.
 */
export function keyedList<T>(
  container: HTMLElement,
  key: (item: T) => string | number,
  render: (item: T) => HTMLElement,
): (items: readonly T[]) => void {
  const kept = new Map<string, Kept>();

  function elementOf(id: string, item: T): HTMLElement {
    const told = JSON.stringify(item);
    const known = kept.get(id);
    if (!known) {
      const element = render(item);
      kept.set(id, { element, told });
      return element;
    }
    if (known.told !== told) {
      morph(known.element, render(item));
      known.told = told;
    }
    return known.element;
  }

  return (items) => {
    const wanted = byKey(items, key);
    for (const id of [...kept.keys()]) if (!wanted.has(id)) kept.delete(id);
    arrange(
      container,
      [...wanted].map(([id, item]) => elementOf(id, item)),
    );
  };
}

function byKey<T>(items: readonly T[], key: (item: T) => string | number): Map<string, T> {
  const found = new Map<string, T>();
  for (const item of items) {
    let id = String(key(item));
    while (found.has(id)) id += "'";
    found.set(id, item);
  }
  return found;
}

/** Makes these the children, in this order, and touches only those that are not in their place; the focus stays. */
export function arrange(container: HTMLElement, elements: readonly HTMLElement[]): void {
  const wanted = new Set<Element>(elements);
  for (const child of [...container.children]) if (!wanted.has(child)) child.remove();
  const focused = container.ownerDocument.activeElement;
  let place = container.firstElementChild;
  for (const element of elements) {
    if (element === place) place = place.nextElementSibling;
    else container.insertBefore(element, place);
  }
  // A moved element has lost it.
  if (focused instanceof HTMLElement && container.contains(focused) && !focused.matches(':focus'))
    focused.focus({ preventScroll: true });
}
