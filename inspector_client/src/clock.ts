/** The page's timers, as far as they are noted, and its frames; workbench/stand-still.ts holds them. */
export interface Clock {
  isHeld: boolean;
  /** By the page's id. */
  readonly timers: Map<number, Timer>;
  /** Asked for while all was held. */
  readonly frames: Map<number, FrameRequestCallback>;
}

export interface Timer {
  /** The browser's id, which is another one than the page's after it was held. */
  id: number;
  /** Weak while it runs: nothing that is through is kept alive for us. */
  callback: unknown;
  rest: unknown[];
  delay: number;
  repeats: boolean;
  /** In ms of `performance.now`; of one that is held, what is left. */
  due: number;
}

type Original = (...args: unknown[]) => number;
type Apply = (original: Original, self: unknown, args: unknown[]) => number;

/** What is due sooner goes off, and waits with what it sets next: noting it would cost more than it is worth. */
const SOON_MS = 100;
/** With so many, those that are through are forgotten. */
const MANY = 200;

export const weakly = (callback: unknown) =>
  typeof callback === 'function' ? new WeakRef(callback) : callback;

/**
 * Timers are noted as they are set, because the browser tells nobody which ones run. What they call is passed on as it
 * is: who looks for what keeps a page busy must not find us. Our own code, this too, is built to use the browser's functions.
 */
export function createClock(view: Window & typeof globalThis): Clock {
  const timers = new Map<number, Timer>();
  const frames = new Map<number, FrameRequestCallback>();
  const clock: Clock = { isHeld: false, timers, frames };
  const value = {
    setTimeout,
    setInterval,
    clearTimeout,
    clearInterval,
    requestAnimationFrame,
    cancelAnimationFrame,
  };
  Object.defineProperty(view, Symbol.for('pageside.time'), { value });
  let limit = MANY;

  function replace(name: keyof typeof value, apply: Apply): void {
    Object.assign(view, { [name]: new Proxy(view[name] as unknown as Original, { apply }) });
  }
  /** One that was held and is late is kept: only we know its id. */
  function forget(): void {
    const now = performance.now();
    for (const [key, { id, repeats, due }] of timers)
      if (!repeats && due < now && id === key) timers.delete(key);
    limit = Math.max(MANY, timers.size * 2);
  }
  function note(id: number, args: unknown[], repeats: boolean): number {
    // As the browser reads it: nothing, what is no number, and what is too large are 0.
    const delay = Math.max(0, (args[1] as number) | 0);
    if (!clock.isHeld && !repeats && delay < SOON_MS) return id;
    if (timers.size >= limit) forget();
    const [callback, , ...rest] = args;
    const timer = { id, callback, rest, delay, repeats, due: delay };
    if (clock.isHeld) clearTimeout(id);
    else {
      timer.callback = weakly(callback);
      timer.due += performance.now();
    }
    timers.set(id, timer);
    return id;
  }
  for (const name of ['setTimeout', 'setInterval'] as const)
    replace(name, (original, self, args) =>
      note(Reflect.apply(original, self, args), args, name === 'setInterval'),
    );
  for (const name of ['clearTimeout', 'clearInterval'] as const)
    replace(name, (original, self, args) => {
      const key = Number(args[0]);
      const timer = timers.get(key);
      timers.delete(key);
      if (timer) args[0] = timer.id;
      return Reflect.apply(original, self, args);
    });
  replace('requestAnimationFrame', (original, self, args) => {
    const id = Reflect.apply(original, self, args);
    if (clock.isHeld) {
      cancelAnimationFrame(id);
      frames.set(id, args[0] as FrameRequestCallback);
    }
    return id;
  });
  replace('cancelAnimationFrame', (original, self, args) => {
    frames.delete(Number(args[0]));
    return Reflect.apply(original, self, args);
  });
  return clock;
}
