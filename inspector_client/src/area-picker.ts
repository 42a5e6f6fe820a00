import type { Pick, PickerParts } from './picker';
import type { Box } from './protocol';

const MIN_PX = 4;

export interface AreaPickerParts extends Omit<PickerParts, 'hover' | 'host'> {
  /** The rectangle so far; null: picking ended. */
  drag(box: Box | null): void;
}

export function createAreaPicker({ gate, shield, drag }: AreaPickerParts): Pick<Box> {
  return (signal) =>
    new Promise((resolve) => {
      let from: { x: number; y: number } | null = null;

      function boxTo({ clientX, clientY }: PointerEvent): Box | null {
        if (!from) return null;
        return {
          x: Math.min(from.x, clientX),
          y: Math.min(from.y, clientY),
          width: Math.abs(clientX - from.x),
          height: Math.abs(clientY - from.y),
        };
      }
      function finish(box: Box | null): void {
        from = null;
        if (box && (box.width >= MIN_PX || box.height >= MIN_PX)) end(box);
        else drag(null);
      }
      function onEvent(event: Event): void {
        const at = event as PointerEvent;
        if (event.type === 'keydown' && (event as KeyboardEvent).key === 'Escape') end(null);
        else if (event.type === 'pointerdown' && at.button === 0)
          from = { x: at.clientX, y: at.clientY };
        else if (event.type === 'pointermove' && from) drag(boxTo(at));
        else if (event.type === 'pointercancel') finish(null);
        else if (event.type === 'pointerup' && from) finish(boxTo(at));
      }
      function end(box: Box | null): void {
        signal.removeEventListener('abort', cancel);
        release();
        shield.lower();
        drag(null);
        resolve(box);
      }
      const cancel = () => end(null);
      const release = gate.take(onEvent);
      // A drag would select text and scroll touch screens.
      shield.raise(true);
      signal.addEventListener('abort', cancel, { once: true });
    });
}
