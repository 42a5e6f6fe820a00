// What is drawn, as numbers: pure.
import { type Point, type Sketch, type SketchShape, sketchLimits } from '../../protocol';

export type Tool = SketchShape['kind'];

/** Further than that a point may not be from the line that stands for it. */
const TOLERANCE_PX = 0.8;
const MIN_PX = 4;
/** Of a line that goes on for minutes only so many points are looked at. */
const LOOKED_AT = 1000;
const HEAD_PX = 14;
const HEAD_ANGLE = 0.5;

const distance = ([x, y]: Point, [u, v]: Point): number => Math.hypot(x - u, y - v);

/** How far `point` lies from the line between the ends. */
function away(point: Point, from: Point, to: Point): number {
  const length = distance(from, to);
  if (!length) return distance(point, from);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const along = ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / length ** 2;
  const t = Math.max(0, Math.min(1, along));
  return distance(point, [from[0] + t * dx, from[1] + t * dy]);
}

/** As few of the points as show the same line (Ramer, Douglas and Peucker), both ends among them. */
export function simplify(points: Point[], tolerance: number): Point[] {
  const kept = new Set([0, points.length - 1]);
  const spans: [number, number][] = [[0, points.length - 1]];
  // Not by recursion: a long scribble would be deep.
  for (let span = spans.pop(); span; span = spans.pop()) {
    const [first, last] = span;
    const [from, to] = [points[first] as Point, points[last] as Point];
    let farthest = first;
    let most = tolerance;
    for (let at = first + 1; at < last; at++) {
      const off = away(points[at] as Point, from, to);
      if (off > most) [farthest, most] = [at, off];
    }
    if (farthest === first) continue;
    kept.add(farthest);
    spans.push([first, farthest], [farthest, last]);
  }
  return points.filter((_, index) => kept.has(index));
}

/** What the pointer went through, as the shape that is kept; null: too little to mean anything. */
export function shapeOf(kind: Tool, path: Point[]): SketchShape | null {
  const whole = path.map(toWhole);
  const [first, last] = [whole[0], whole.at(-1)];
  if (!first || !last) return null;
  if (kind !== 'pen')
    return distance(first, last) < MIN_PX ? null : { kind, points: [first, last] };
  const step = Math.ceil(whole.length / LOOKED_AT);
  const looked = whole.filter((_, index) => index % step === 0 || index === whole.length - 1);
  let points = simplify(looked, TOLERANCE_PX);
  for (let coarse = 2 * TOLERANCE_PX; points.length > sketchLimits.points; coarse *= 2)
    points = simplify(points, coarse);
  return { kind, points };
}

export function toWhole([x, y]: Point): Point {
  const within = (value: number) =>
    Math.max(-sketchLimits.px, Math.min(sketchLimits.px, Math.round(value)));
  return [within(x), within(y)];
}

/** One more shape, as long as it is not too much; null: it is. */
export function withShape(sketch: Sketch, shape: SketchShape): Sketch | null {
  const next = { shapes: [...sketch.shapes, shape] };
  const isTooMuch =
    next.shapes.length > sketchLimits.shapes || JSON.stringify(next).length > sketchLimits.bytes;
  return isTooMuch ? null : next;
}

/** The shape as the data of an SVG path. The companion draws the same in pictures. */
export function pathOf({ kind, points }: SketchShape): string {
  const [first = [0, 0], last = first] = [points[0], points.at(-1)];
  if (kind === 'box') return `M${first}H${last[0]}V${last[1]}H${first[0]}Z`;
  const line = `M${points.join('L')}`;
  // A dot is a line without length.
  if (kind === 'pen') return points.length > 1 ? line : `${line}h0`;
  const length = Math.min(HEAD_PX, distance(first, last) * 0.6);
  const angle = Math.atan2(last[1] - first[1], last[0] - first[0]);
  const wing = (side: number) =>
    [last[0] - length * Math.cos(angle + side), last[1] - length * Math.sin(angle + side)].map(
      (value) => Math.round(value * 10) / 10,
    );
  return `${line}M${wing(HEAD_ANGLE)}L${last}L${wing(-HEAD_ANGLE)}`;
}
