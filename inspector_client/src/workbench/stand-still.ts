import { type Clock, type Timer, weakly } from '../clock';

/** Timers and frames of the page wait, until `release`. */
export function hold(clock: Clock): void {
  if (clock.isHeld) return;
  clock.isHeld = true;
  const now = performance.now();
  for (const [key, timer] of clock.timers) {
    const { id, callback, repeats, due } = timer;
    timer.callback = callback instanceof WeakRef ? callback.deref() : callback;
    timer.due -= now;
    if (timer.callback === undefined || (!repeats && due < now)) clock.timers.delete(key);
    else clearTimeout(id);
  }
}

/** They go on from where they were: a timer has as long to go as before. */
export function release(clock: Clock): void {
  if (!clock.isHeld) return;
  clock.isHeld = false;
  const { timers, frames } = clock;
  for (const timer of timers.values()) {
    timer.id = start(timer);
    timer.callback = weakly(timer.callback);
    timer.due += performance.now();
  }
  for (const [id, callback] of frames)
    requestAnimationFrame((time) => {
      if (frames.delete(id)) callback(time);
    });
}

function start({ callback, rest, delay, repeats, due }: Timer): number {
  const set = (repeats ? setInterval : setTimeout) as (...given: unknown[]) => unknown;
  return set(callback, repeats ? delay : due, ...rest) as number;
}
