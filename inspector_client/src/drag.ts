import type { Box } from './protocol';

type Point = Pick<PointerEvent, 'clientX' | 'clientY'>;

/** From the press of a button to its release. */
export interface Drag {
  begin(from: Point): void;
  /** The rectangle so far; null: there is no press, or it has not moved yet. */
  to(point: Point): Box | null;
  end(): void;
}

/** Less is a click with an unsteady hand. */
const MIN_PX = 6;

export function createDrag(): Drag {
  let from: Point | null = null;
  let isMoved = false;

  return {
    begin(point) {
      from = point;
      isMoved = false;
    },
    to({ clientX, clientY }) {
      if (!from) return null;
      const width = Math.abs(from.clientX - clientX);
      const height = Math.abs(from.clientY - clientY);
      isMoved ||= width + height > MIN_PX;
      if (!isMoved) return null;
      return {
        x: Math.min(from.clientX, clientX),
        y: Math.min(from.clientY, clientY),
        width,
        height,
      };
    },
    end() {
      from = null;
    },
  };
}
