import { h, icon, on } from '../ui/dom';
import { queueTexts } from './texts';

interface Moving {
  /** The list that the item stands in. */
  list: HTMLElement;
  item: HTMLElement;
  /** It was let go of at this place. */
  drop(to: number): void;
  /** It goes back to where it was. */
  cancel(): void;
  /** While it moves, nobody else may move the items. */
  busy(isBusy: boolean): void;
}

const GRIP = 'M7 4v.1M7 10v.1M7 16v.1M13 4v.1M13 10v.1M13 16v.1';

/** What an item is dragged by; the arrow keys on it move the item as well. */
export function createHandle(moving: Moving, step: (by: number) => void): HTMLElement {
  const { item, list, busy } = moving;
  let pointer: number | null = null;
  const handle = h(
    'button',
    {
      type: 'button',
      class: 'small grip',
      title: queueTexts.moveHint,
      'aria-label': queueTexts.move,
    },
    icon(GRIP),
  );

  function end(isDrop: boolean): void {
    if (pointer === null) return;
    handle.releasePointerCapture?.(pointer);
    pointer = null;
    item.classList.remove('moving');
    busy(false);
    if (isDrop) moving.drop([...list.children].indexOf(item));
    else moving.cancel();
  }
  return on(handle, {
    pointerdown(event) {
      const { pointerId, button } = event as PointerEvent;
      if (button > 0) return;
      pointer = pointerId;
      // Also beside the panel, and over what the page has there.
      handle.setPointerCapture?.(pointerId);
      item.classList.add('moving');
      busy(true);
    },
    pointermove(event) {
      if (pointer !== null) slide(item, (event as PointerEvent).clientY);
    },
    pointerup: () => end(true),
    pointercancel: () => end(false),
    keydown(event) {
      const { key } = event as KeyboardEvent;
      if (pointer !== null && key === 'Escape') {
        event.preventDefault();
        end(false);
      }
      const by = stepOf(event as KeyboardEvent);
      if (!by) return;
      event.preventDefault();
      step(by);
    },
  });
}

/** -1 or 1 for an arrow up or down, else 0. */
export function stepOf({ key }: KeyboardEvent): number {
  return key === 'ArrowUp' ? -1 : Number(key === 'ArrowDown');
}

/** The others step aside: the one that is held stays in the document, or it would lose the pointer. */
function slide(item: HTMLElement, y: number): void {
  const middleOf = (other: Element) => {
    const { top, height } = other.getBoundingClientRect();
    return top + height / 2;
  };
  for (
    let next = item.nextElementSibling;
    next && y > middleOf(next);
    next = item.nextElementSibling
  )
    item.before(next);
  for (
    let before = item.previousElementSibling;
    before && y < middleOf(before);
    before = item.previousElementSibling
  )
    item.after(before);
}
