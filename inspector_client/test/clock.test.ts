import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock } from '../src/clock';
import { hold, release } from '../src/workbench/stand-still';

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

/** A window of its own, with the timers of this one. Ids are numbers, as in browsers. */
function setUp() {
  const { clearTimeout, clearInterval, requestAnimationFrame, cancelAnimationFrame } = globalThis;
  const numbered = (set: (...args: never[]) => unknown) =>
    new Proxy(set, { apply: (...call) => Number(Reflect.apply(...call)) });
  const view = {
    setTimeout: numbered(setTimeout),
    setInterval: numbered(setInterval),
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
  hold(clock);
  vi.advanceTimersByTime(60_000);
  release(clock);
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
    hold(clock);
    vi.advanceTimersByTime(1000);
    release(clock);
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
  const before = page.setTimeout(never, 150);
  hold(clock);
  page.setTimeout(rings, 0);
  page.clearTimeout(before);
  page.clearTimeout(page.setTimeout(never, 10));
  page.requestAnimationFrame(draws);
  page.cancelAnimationFrame(page.requestAnimationFrame(skipped));
  vi.advanceTimersByTime(1000);
  expect(rings).not.toHaveBeenCalled();
  expect(draws).not.toHaveBeenCalled();
  release(clock);
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
    page.setTimeout(rings, 100);
    vi.advanceTimersByTime(101);
  }
  expect(clock.timers.size).toBeLessThanOrEqual(200);
  hold(clock);
  release(clock);
  vi.advanceTimersByTime(1000);
  expect(rings).toHaveBeenCalledTimes(1000);
});

test('what the browser calls at once for the length of its delay is not called again', () => {
  const { page, clock } = setUp();
  const rings = vi.fn();
  // Larger than 31 bits; the browser takes it for 0.
  for (const delay of [Number.POSITIVE_INFINITY, 2 ** 31]) page.setTimeout(rings, delay);
  expect(clock.timers.size).toBe(0);
});

test('timers that were held can be cleared by a text, and how ever late they are', () => {
  const { page, clock } = setUp();
  const rings = vi.fn();
  const ids = [500, 600].map((delay) => page.setTimeout(rings, delay));
  hold(clock);
  release(clock);
  const late = vi.spyOn(performance, 'now').mockReturnValue(1e9);
  for (let count = 0; count < 300; count += 1) page.setTimeout(() => undefined, 100);
  late.mockRestore();
  for (const id of ids) page.clearTimeout(String(id) as never);
  vi.advanceTimersByTime(1000);
  expect(rings).not.toHaveBeenCalled();
});

test('many that wait are looked through rarely', () => {
  const { page, clock } = setUp();
  const walks = vi.spyOn(clock.timers, Symbol.iterator);
  for (let count = 0; count < 10_000; count += 1) page.setTimeout(() => undefined, 60_000);
  expect(walks.mock.calls.length).toBeLessThan(10);
  expect(clock.timers.size).toBe(10_000);
});
