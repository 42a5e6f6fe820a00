import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFreeze } from '../src/workbench/freeze';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function animation(given: object = {}): Animation {
  const effect = { getComputedTiming: () => ({ endTime: 100 }) };
  const timeline = { currentTime: 1 };
  const base = { playState: 'running', playbackRate: 1, effect, timeline, finish: vi.fn() };
  return Object.defineProperties(base, Object.getOwnPropertyDescriptors(given)) as never;
}

test('an animation that refuses keeps neither the others nor the timers', () => {
  const refuses = animation({
    get playbackRate() {
      return 2;
    },
    set playbackRate(_) {
      throw new Error('no');
    },
  });
  const runs = animation();
  const begins = animation();
  const still = animation({
    playbackRate: 0,
    finish() {
      throw new DOMException('rate 0', 'InvalidStateError');
    },
  });
  const running = [refuses, runs];
  document.getAnimations = () => running;
  const clock = { isHeld: false, timers: new Map(), frames: new Map() };
  const freeze = createFreeze(clock);
  freeze.start();
  running.push(still, begins);
  vi.advanceTimersByTime(100);
  expect([runs.playbackRate, clock.isHeld]).toEqual([0, true]);
  expect(begins.finish).toHaveBeenCalled();
  freeze.end();
  expect([runs.playbackRate, still.playbackRate, clock.isHeld]).toEqual([1, 0, false]);
});
