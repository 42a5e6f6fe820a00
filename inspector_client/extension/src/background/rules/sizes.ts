// How large a picture becomes.
import { LONGEST_SIDE_PX } from './params';

/** Device pixels at most; undefined: as large as Chrome draws. */
export interface Size {
  width: number | undefined;
  height: number | undefined;
}

/** What shrinks a box of CSS px so that it fits, and how many device pixels it then has; never enlarged. */
export function fitted(
  box: { width: number; height: number },
  ratio: number,
  limit: Size,
): { scale: number; width: number; height: number } {
  const scale = Math.min(
    1,
    (limit.width ?? LONGEST_SIDE_PX) / (box.width * ratio),
    (limit.height ?? LONGEST_SIDE_PX) / (box.height * ratio),
  );
  const side = (length: number) => Math.max(1, Math.round(length * ratio * scale));
  return { scale, width: side(box.width), height: side(box.height) };
}

/** The limits for a picture that came out so many times too large. */
export function smaller(
  size: { width: number; height: number },
  times: number,
): { width: number; height: number } {
  const share = Math.min(0.7, 0.9 / Math.sqrt(times));
  const side = (length: number) => Math.max(1, Math.floor(length * share));
  return { width: side(size.width), height: side(size.height) };
}
