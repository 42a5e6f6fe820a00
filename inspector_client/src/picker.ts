import { parentOf } from './element/deep';
import { elementAt, step } from './element/hit';
import type { Gate } from './gate';
import type { Shield } from './shield';

export interface PickerParts {
  gate: Gate;
  shield: Shield;
}
interface ElementPickerParts extends PickerParts {
  host: Element;
  /** What lies under the pointer, or was walked to; null: nothing, or picking ended. */
  hover(element: Element | null): void;
}

/** Resolves with what the user picks, or null when he cancels or the signal does. */
export type Pick<T> = (signal: AbortSignal) => Promise<T | null>;

interface Picker<T> {
  /** The shield is needed wherever the pointer is. */
  shielded: boolean;
  reactions(end: (picked: T) => void): Record<string, (event: never) => void>;
  ended(): void;
}

/** What every picker does: takes all input until there is a pick, Esc or the signal's end. */
export function createPick<T>(
  { gate, shield }: PickerParts,
  { shielded, reactions, ended }: Picker<T>,
): Pick<T> {
  return (signal) =>
    new Promise((resolve) => {
      let isOver = false;
      function end(picked: T | null): void {
        if (isOver) return;
        isOver = true;
        release();
        shield.lower();
        ended();
        resolve(picked);
      }
      const react = reactions(end);
      const release = gate.take((event) => {
        const { type, key } = event as KeyboardEvent;
        if (type === 'keydown' && key === 'Escape') end(null);
        else react[type]?.(event as never);
      });
      shield.raise(shielded);
      signal.addEventListener('abort', () => end(null));
    });
}

export function createPicker(parts: ElementPickerParts): Pick<Element> {
  const { host, hover } = parts;
  const under = ({ clientX, clientY }: MouseEvent) => elementAt(clientX, clientY, host);
  let current: Element | null = null;
  let frame = 0;

  function mark(element: Element | null): void {
    current = element;
    hover(element);
  }
  return createPick(parts, {
    shielded: false,
    reactions: (end) => ({
      keydown({ key }: KeyboardEvent) {
        if (key === 'Enter' && current) end(current);
        const next = /^Arrow/.test(key) && step(current ?? document.body, key, host);
        if (!next) return;
        mark(next);
        next.scrollIntoView({ block: 'nearest' });
      },
      pointermove(event: PointerEvent) {
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() => mark(under(event)));
      },
      // Not click: a disabled button has none.
      pointerup(event: PointerEvent) {
        if (event.button === 0) end(under(event));
      },
      wheel(event: WheelEvent) {
        if (event.view !== window) scroll(under(event), event);
      },
    }),
    ended() {
      cancelAnimationFrame(frame);
      mark(null);
    },
  });
}

/** The shield takes the wheel as well; what lies beneath scrolls all the same. */
function scroll(from: Element, { deltaX, deltaY }: WheelEvent): void {
  for (let at: Element | null = from; at; at = parentOf(at)) {
    const { scrollLeft, scrollTop } = at;
    at.scrollBy(deltaX, deltaY);
    if (at.scrollLeft !== scrollLeft || at.scrollTop !== scrollTop) return;
  }
}
