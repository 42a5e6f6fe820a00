import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock } from '../src/clock';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: [
      'setTimeout',
      'setInterval',
      'clearTimeout',
      'clearInterval',
      'performance',
      'requestAnimationFrame',
      'cancelAnimationFrame',
    ],
  });
});
afterEach(() => void vi.useRealTimers());

/** A window of its own, with the timers of this one. */
function setUp() {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const { requestAnimationFrame, cancelAnimationFrame } = globalThis;
  const view = {
    setTimeout,
    setInterval,
    clearTimeout,
    clearInterval,
    requestAnimationFrame,
    cancelAnimationFrame,
  };
  const page = view as unknown as Window & typeof globalThis;
  return { page, clock: createClock(page) };
}

test('a timer that was held has as long to go as before', () => {
  const { page, clock } = setUp();
  const rings = vi.fn();
  page.setTimeout(rings, 1000, 'a', 2);
  vi.advanceTimersByTime(400);
  clock.hold();
  vi.advanceTimersByTime(60_000);
  clock.release();
  vi.advanceTimersByTime(599);
  expect(rings).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(rings.mock.calls).toEqual([['a', 2]]);
});

test('an interval stops and goes on, and its old id still ends it', () => {
  const { page, clock } = setUp();
  const rings = vi.fn();
  const id = page.setInterval(rings, 100);
  vi.advanceTimersByTime(250);
  for (const _ of [1, 2]) {
    clock.hold();
    vi.advanceTimersByTime(1000);
    clock.release();
  }
  expect(rings).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(200);
  expect(rings).toHaveBeenCalledTimes(4);
  page.clearTimeout(id);
  vi.advanceTimersByTime(1000);
  expect(rings).toHaveBeenCalledTimes(4);
});

test('what is set, cleared and asked for while held waits for the release', () => {
  const { page, clock } = setUp();
  const [rings, never, draws, skipped] = [vi.fn(), vi.fn(), vi.fn(), vi.fn()];
  const before = page.setTimeout(never, 50);
  clock.hold();
  page.setTimeout(rings, 0);
  page.clearTimeout(before);
  page.clearTimeout(page.setTimeout(never, 10));
  page.requestAnimationFrame(draws);
  page.cancelAnimationFrame(page.requestAnimationFrame(skipped));
  vi.advanceTimersByTime(1000);
  expect(rings).not.toHaveBeenCalled();
  expect(draws).not.toHaveBeenCalled();
  clock.release();
  vi.advanceTimersByTime(100);
  expect([rings, never, draws, skipped].map((each) => each.mock.calls.length)).toEqual([
    1, 0, 1, 0,
  ]);
});

test('nothing is different for who looks at the functions', () => {
  const { page } = setUp();
  expect(page.setTimeout.name).toBe(globalThis.setTimeout.name);
  expect(page.setTimeout.length).toBe(globalThis.setTimeout.length);
  expect(page.setTimeout(() => undefined)).not.toBe(page.setTimeout(() => undefined));
});

test('timers that are through are not kept', () => {
  const { page, clock } = setUp();
  const rings = vi.fn();
  for (let count = 0; count < 1000; count += 1) {
    page.setTimeout(rings, 1);
    vi.advanceTimersByTime(2);
  }
  clock.hold();
  clock.release();
  vi.advanceTimersByTime(1000);
  expect(rings).toHaveBeenCalledTimes(1000);
});
