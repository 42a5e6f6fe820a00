import type { Box } from '../protocol';

export interface Place {
  x: number;
  y: number;
}

export const MARKER_PX = 20;
const GAP_PX = 2;

type Size = Pick<Box, 'width' | 'height'>;

/**
 * The middle of each box's marker: at its upper corner, on the side where lines begin, wholly in view, and beside those
 * that came before. Null for what is not in view.
 */
export function markerPlaces(boxes: (Box | null)[], view: Size, isRtl = false): (Place | null)[] {
  const taken: Place[] = [];
  return boxes.map((box) => {
    if (!box || !isInView(box, view)) return null;
    const corner = { x: isRtl ? box.x + box.width : box.x, y: box.y };
    const place = beside(taken, within(corner, view), view);
    taken.push(place);
    return place;
  });
}

function isInView({ x, y, width, height }: Box, view: Size): boolean {
  const isThere = width > 0 || height > 0;
  return isThere && x < view.width && y < view.height && x + width > 0 && y + height > 0;
}

function within({ x, y }: Place, { width, height }: Size): Place {
  const half = MARKER_PX / 2;
  const clamp = (value: number, most: number) => Math.max(half, Math.min(value, most - half));
  return { x: clamp(x, width), y: clamp(y, height) };
}

/** The first free place to the right, else below: a hundred at one corner make rows. */
function beside(taken: Place[], wanted: Place, view: Size): Place {
  const step = MARKER_PX + GAP_PX;
  const isFree = ({ x, y }: Place) =>
    taken.every(
      (other) => Math.abs(other.x - x) >= MARKER_PX || Math.abs(other.y - y) >= MARKER_PX,
    );
  let place = wanted;
  for (let tries = taken.length; tries >= 0 && !isFree(place); tries -= 1) {
    const right = { x: place.x + step, y: place.y };
    const fits = right.x + MARKER_PX / 2 <= view.width;
    place = fits ? right : within({ x: wanted.x, y: place.y + step }, view);
  }
  return place;
}
