import { timing } from '../protocol';

export interface Backoff {
  next(): number;
  reset(): void;
}

/** Doubling delays from `retryMs` to `retryCapMs`, each shortened by chance so that tabs do not come all at once. */
export function createBackoff(): Backoff {
  let tries = 0;
  return {
    next() {
      const delay = Math.min(timing.retryCapMs, timing.retryMs * 2 ** tries);
      tries += 1;
      return delay * (0.75 + Math.random() * 0.25);
    },
    reset() {
      tries = 0;
    },
  };
}
