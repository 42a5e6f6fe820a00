import { describe, expect, test } from 'vitest';
import { type Point, type SketchShape, sketchLimits } from '../src/protocol';
import { pathOf, shapeOf, simplify, withShape } from '../src/workbench/sketch/geometry';

const line = (count: number, y: (x: number) => number): Point[] =>
  Array.from({ length: count }, (_, x) => [x, y(x)]);

describe('a line of the pen', () => {
  test('keeps its ends and its corners only', () => {
    const path: Point[] = [
      ...line(50, () => 0),
      ...line(50, (n) => n).map(([n]): Point => [49, n]),
    ];
    expect(simplify(path, 0.8)).toEqual([
      [0, 0],
      [49, 0],
      [49, 49],
    ]);
  });
  test('stays within a pixel of what was drawn', () => {
    const path = line(400, (x) => Math.round(20 * Math.sin(x / 20)));
    const { points } = shapeOf('pen', path) as SketchShape;
    expect(points.length).toBeLessThan(100);
    for (const [x, y] of path) {
      const after = points.findIndex(([u]) => u >= x);
      const [from, to] = [points[Math.max(0, after - 1)], points[after]] as [Point, Point];
      const t = to[0] === from[0] ? 0 : (x - from[0]) / (to[0] - from[0]);
      expect(Math.abs(from[1] + t * (to[1] - from[1]) - y)).toBeLessThan(2);
    }
  });
  test('has no more points than are allowed, however wild it is', () => {
    const wild = line(5000, (x) => (x % 2) * 300 * Math.sin(x));
    expect(shapeOf('pen', wild)?.points.length).toBeLessThanOrEqual(sketchLimits.points);
  });
  test('may be a dot', () => {
    expect(shapeOf('pen', [[3.4, 5.6]])).toEqual({ kind: 'pen', points: [[3, 6]] });
    expect(pathOf({ kind: 'pen', points: [[3, 6]] })).toBe('M3,6h0');
  });
});

test('an arrow and a box are their two ends; a slip of the hand is neither', () => {
  const path: Point[] = [
    [0, 0],
    [300, 5],
    [40, 30],
  ];
  for (const kind of ['arrow', 'box'] as const) {
    expect(shapeOf(kind, path)).toEqual({
      kind,
      points: [
        [0, 0],
        [40, 30],
      ],
    });
    expect(
      shapeOf(kind, [
        [5, 5],
        [6, 6],
      ]),
    ).toBeNull();
    expect(shapeOf(kind, [])).toBeNull();
  }
});

test('nothing is drawn beyond what is kept', () => {
  expect(
    shapeOf('box', [
      [0, 0],
      [1e9, -1e9],
    ])?.points[1],
  ).toEqual([sketchLimits.px, -sketchLimits.px]);
});

test('shapes become paths of numbers alone', () => {
  const ends: Point[] = [
    [0, 0],
    [100, 0],
  ];
  expect(
    pathOf({
      kind: 'box',
      points: [
        [10, 20],
        [30, 5],
      ],
    }),
  ).toBe('M10,20H30V5H10Z');
  expect(pathOf({ kind: 'arrow', points: ends })).toBe('M0,0L100,0M87.7,-6.7L100,0L87.7,6.7');
});

test('a sketch that is full takes nothing more', () => {
  const pen: SketchShape = { kind: 'pen', points: line(200, (x) => x + 10_000) };
  let sketch = { shapes: [] as SketchShape[] };
  for (let next: typeof sketch | null = sketch; next; next = withShape(sketch, pen)) sketch = next;
  expect(JSON.stringify(sketch).length).toBeLessThanOrEqual(sketchLimits.bytes);
  expect(sketch.shapes.length).toBeGreaterThan(5);
  const many = {
    shapes: Array.from({ length: sketchLimits.shapes }, () => ({ ...pen, points: [] })),
  };
  expect(withShape(many, pen)).toBeNull();
});
