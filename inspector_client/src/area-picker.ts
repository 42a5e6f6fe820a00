import { createPick, type Pick, type PickerParts } from './picker';
import type { Box } from './protocol';

const MIN_PX = 4;

interface AreaPickerParts extends PickerParts {
  /** The rectangle so far; null: none yet, or picking ended. */
  drag(box: Box | null): void;
}

export function createAreaPicker(parts: AreaPickerParts): Pick<Box> {
  const { drag } = parts;
  let from: PointerEvent | null = null;

  function boxTo(to: PointerEvent): Box | null {
    if (!from) return null;
    const { clientX, clientY } = from;
    const width = Math.abs(clientX - to.clientX);
    const height = Math.abs(clientY - to.clientY);
    return { x: Math.min(clientX, to.clientX), y: Math.min(clientY, to.clientY), width, height };
  }
  function drop(): void {
    from = null;
    drag(null);
  }
  return createPick(parts, {
    // A drag would select text and scroll touch screens.
    shielded: true,
    reactions: (end) => ({
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
      pointercancel: drop,
    }),
    ended: drop,
  });
}
