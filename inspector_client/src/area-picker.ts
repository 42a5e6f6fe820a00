import type { Pick, PickerParts } from './picker';
import type { Box } from './protocol';

const MIN_PX = 4;

export interface AreaPickerParts extends Omit<PickerParts, 'hover' | 'host'> {
  /** The rectangle so far; null: none yet, or picking ended. */
  drag(box: Box | null): void;
}

export function createAreaPicker({ gate, shield, drag }: AreaPickerParts): Pick<Box> {
  return (signal) =>
    new Promise((resolve) => {
      let from: PointerEvent | null = null;
      let ended = false;

      function boxTo(to: PointerEvent): Box | null {
        if (!from) return null;
        const { clientX, clientY } = from;
        const width = Math.abs(clientX - to.clientX);
        const height = Math.abs(clientY - to.clientY);
        return {
          x: Math.min(clientX, to.clientX),
          y: Math.min(clientY, to.clientY),
          width,
          height,
        };
      }
      const reactions: Record<string, (event: never) => void> = {
        keydown({ key }: KeyboardEvent) {
          if (key === 'Escape') end(null);
        },
        pointerdown(event: PointerEvent) {
          if (event.button === 0) from = event;
        },
        pointermove(event: PointerEvent) {
          if (from) drag(boxTo(event));
        },
        pointerup(event: PointerEvent) {
          const box = boxTo(event);
          if (box && box.width + box.height > MIN_PX) end(box);
          from = null;
        },
        pointercancel() {
          from = null;
          drag(null);
        },
      };
      function end(box: Box | null): void {
        if (ended) return;
        ended = true;
        release();
        shield.lower();
        drag(null);
        resolve(box);
      }
      const release = gate.take((event) => reactions[event.type]?.(event as never));
      // A drag would select text and scroll touch screens.
      shield.raise(true);
      signal.addEventListener('abort', () => end(null));
    });
}
