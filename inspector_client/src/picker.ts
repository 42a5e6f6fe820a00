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
      let pressed = false;
      let frame = 0;

      function mark(element: Element | null): void {
        current = element;
        hover(element);
      }
      function point({ clientX, clientY }: MouseEvent): void {
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(() => mark(elementAt(clientX, clientY, host)));
      }
      function onKey(event: KeyboardEvent): void {
        if (event.key === 'Escape') return end(null);
        if (event.key === 'Enter' && current) return end(current);
        if (!event.key.startsWith('Arrow')) return;
        cancelAnimationFrame(frame);
        const next = step(current ?? document.body, event.key, host);
        if (!next) return;
        mark(next);
        next.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      }
      function onEvent(event: Event): void {
        const at = event as PointerEvent;
        if (event.type === 'keydown') onKey(event as KeyboardEvent);
        else if (event.type === 'pointermove') point(at);
        else if (event.type === 'pointerdown') pressed = at.button === 0;
        else if (event.type === 'pointercancel') pressed = false;
        else if (event.type === 'wheel') scroll(event as WheelEvent, host);
        else if (event.type === 'pointerup' && pressed && at.button === 0)
          end(elementAt(at.clientX, at.clientY, host));
      }
      function end(picked: Element | null): void {
        cancelAnimationFrame(frame);
        signal.removeEventListener('abort', cancel);
        release();
        shield.lower();
        hover(null);
        resolve(picked);
      }
      const cancel = () => end(null);
      const release = gate.take(onEvent);
      shield.raise(false);
      signal.addEventListener('abort', cancel, { once: true });
    });
}

/** The shield takes the wheel as well; what lies beneath scrolls all the same. */
function scroll(event: WheelEvent, host: Element): void {
  if (event.view === window) return;
  let at = elementAt(event.clientX, event.clientY, host);
  for (; at; at = parentOf(at)) {
    const before = [at.scrollLeft, at.scrollTop];
    at.scrollBy(event.deltaX, event.deltaY);
    if (at.scrollLeft !== before[0] || at.scrollTop !== before[1]) return;
  }
}
