import { expect, test } from 'vitest';
import { MARKER_PX, markerPlaces } from '../src/workbench/marker-places';

const VIEW = { width: 320, height: 200 };
const box = (x: number, y: number, width = 50, height = 20) => ({ x, y, width, height });

test('a marker sits at the upper corner where lines begin', () => {
  expect(markerPlaces([box(100, 50)], VIEW)).toEqual([{ x: 100, y: 50 }]);
  expect(markerPlaces([box(100, 50)], VIEW, true)).toEqual([{ x: 150, y: 50 }]);
});

test('it is wholly in view as long as any of its element is, and gone when none is', () => {
  expect(markerPlaces([box(-20, -5)], VIEW)).toEqual([{ x: 10, y: 10 }]);
  expect(markerPlaces([box(310, 190)], VIEW)).toEqual([{ x: 310, y: 190 }]);
  const gone = [box(-50, 0), box(320, 0), box(0, -20), box(0, 200), box(5, 5, 0, 0), null];
  expect(markerPlaces(gone, VIEW)).toEqual(gone.map(() => null));
});

test('markers of one corner stand side by side, and in rows where there are many', () => {
  const places = markerPlaces(
    Array.from({ length: 40 }, () => box(200, 20)),
    VIEW,
  );
  for (const [n, place] of places.entries()) {
    expect(place && place.x >= 10 && place.x <= 310 && place.y <= 190).toBe(true);
    for (const other of places.slice(0, n)) {
      const apart = [(place?.x ?? 0) - (other?.x ?? 0), (place?.y ?? 0) - (other?.y ?? 0)];
      expect(Math.max(...apart.map(Math.abs))).toBeGreaterThanOrEqual(MARKER_PX);
    }
  }
});
