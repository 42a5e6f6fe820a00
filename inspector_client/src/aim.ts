import { boxOf } from './element/deep';
import { createWalk, elementAt } from './element/hit';

/** What would be picked: what lies under the pointer, or where one walked from there. */
export interface Aim {
  readonly element: Element | null;
  /** One is elsewhere than under the pointer. */
  readonly isWalked: boolean;
  /** At once; the pointer's moves follow with the next frame. */
  at(event: PointerEvent): Element;
  follow(event: PointerEvent): void;
  /** By an arrow key's name. */
  walk(key: string): void;
  /** Up to the parents, and down again the same way. */
  turn(event: WheelEvent): void;
  /** Nothing is aimed at for now. */
  leave(): void;
}

/** So far the wheel turns for one step. */
const STEP_PX = 50;
const LINE_PX = 25;
/** Whoever walked somewhere must not lose it to a touch of the mouse. */
const UNSTEADY_PX = 8;

export function createAim(host: Element, hover: (element: Element | null) => void): Aim {
  const way = createWalk(host);
  let element: Element | null = null;
  let isWalked = false;
  let pointer: PointerEvent | null = null;
  let turned = 0;
  let frame = 0;

  function mark(next: Element): Element {
    element = next;
    hover(next);
    return next;
  }
  /** Also what a browser tells when the page moves under a pointer that does not. */
  function isResting({ clientX, clientY, movementX, movementY }: PointerEvent): boolean {
    if (!pointer) return !movementX && !movementY;
    return Math.hypot(clientX - pointer.clientX, clientY - pointer.clientY) < UNSTEADY_PX;
  }
  function at(event: PointerEvent): Element {
    cancelAnimationFrame(frame);
    if (element && isWalked && isResting(event)) return element;
    isWalked = false;
    way.forget();
    pointer = event;
    return mark(elementAt(event.clientX, event.clientY, host));
  }
  function walk(key: string): void {
    const next = way.step(element ?? document.body, key);
    if (!next) return;
    cancelAnimationFrame(frame);
    isWalked = true;
    const { y, height } = boxOf(mark(next));
    if (y + height < 0 || y > innerHeight) next.scrollIntoView({ block: 'nearest' });
  }

  return {
    get element() {
      return element;
    },
    get isWalked() {
      return isWalked;
    },
    at,
    follow(event) {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => at(event));
    },
    walk,
    turn({ deltaY, deltaMode }) {
      turned += deltaY * (deltaMode ? LINE_PX : 1);
      if (Math.abs(turned) < STEP_PX) return;
      walk(turned < 0 ? 'ArrowUp' : 'ArrowDown');
      turned = 0;
    },
    leave() {
      cancelAnimationFrame(frame);
      element = null;
      hover(null);
    },
  };
}
