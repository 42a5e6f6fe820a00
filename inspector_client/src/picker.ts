import { parentOf } from './element/deep';
import { elementAt, step } from './element/hit';
import type { Gate } from './gate';
import type { Shield } from './shield';

export interface PickerParts {
  gate: Gate;
  shield: Shield;
  host: Element;
  /** What lies under the pointer, or was walked to; null: nothing, or picking ended. */
  hover(element: Element | null): void;
}

/** Resolves with what the user picks, or null when he cancels or the signal does. */
export type Pick<T> = (signal: AbortSignal) => Promise<T | null>;

export function createPicker({ gate, shield, host, hover }: PickerParts): Pick<Element> {
  return (signal) =>
    new Promise((resolve) => {
      let current: Element | null = null;
      let frame = 0;
      let ended = false;
      const under = ({ clientX, clientY }: MouseEvent) => elementAt(clientX, clientY, host);

      function mark(element: Element): void {
        current = element;
        hover(element);
      }
      function onKey({ key }: KeyboardEvent): void {
        if (key === 'Escape') end(null);
        else if (key === 'Enter' && current) end(current);
        const next = /^Arrow/.test(key) && step(current ?? document.body, key, host);
        if (!next) return;
        mark(next);
        next.scrollIntoView({ block: 'nearest' });
      }
      const reactions: Record<string, (event: never) => void> = {
        keydown: onKey,
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
      };
      function end(picked: Element | null): void {
        cancelAnimationFrame(frame);
        if (ended) return;
        ended = true;
        release();
        shield.lower();
        hover(null);
        resolve(picked);
      }
      const release = gate.take((event) => reactions[event.type]?.(event as never));
      shield.raise(false);
      signal.addEventListener('abort', () => end(null));
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
