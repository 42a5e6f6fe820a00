/** The page's timers and frames, which can be held and go on where they were. */
export interface Clock {
  hold(): void;
  release(): void;
}

interface Timer {
  /** The browser's id, which is another one than the page's after it was held. */
  id: number;
  start(delay: number): number;
  delay: number;
  repeats: boolean;
  /** In ms of `performance.now`; of one that is held, what is left. */
  due: number;
}

type Call = (this: unknown, ...args: unknown[]) => number;

/** With so many, those that are through are forgotten. */
const MANY = 200;

/**
 * Timers are noted as they are set, because the browser tells nobody which ones run. What they call is passed on as it
 * is: who looks for what keeps a page busy must not find us. Our own code, this too, is built to use the browser's functions.
 */
export function createClock(view: Window & typeof globalThis): Clock {
  const timers = new Map<unknown, Timer>();
  const frames = new Map<unknown, FrameRequestCallback>();
  const value = {
    setTimeout,
    setInterval,
    clearTimeout,
    clearInterval,
    requestAnimationFrame,
    cancelAnimationFrame,
  };
  Object.defineProperty(view, Symbol.for('pageside.time'), { value });
  const now = () => performance.now();
  let isHeld = false;

  function replace(
    name: keyof typeof value,
    apply: (call: (...args: unknown[]) => number, args: unknown[]) => unknown,
  ): void {
    const handler = {
      apply: (original: Call, self: unknown, args: unknown[]) =>
        apply((...given) => Reflect.apply(original, self, given), args),
    };
    Object.assign(view, { [name]: new Proxy(view[name] as unknown as Call, handler) });
  }
  function forget(): void {
    for (const [key, { repeats, due }] of timers) if (!repeats && due < now()) timers.delete(key);
  }
  for (const name of ['setTimeout', 'setInterval'] as const)
    replace(name, (call, [callback, wait, ...rest]) => {
      const delay = Number(wait) || 0;
      const start = (ms: number) => call(callback, ms, ...rest);
      const id = start(delay);
      if (isHeld) clearTimeout(id);
      else if (timers.size > MANY) forget();
      const due = isHeld ? delay : now() + delay;
      timers.set(id, { id, start, delay, due, repeats: name === 'setInterval' });
      return id;
    });
  for (const name of ['clearTimeout', 'clearInterval'] as const)
    replace(name, (call, [key, ...rest]) => {
      const timer = timers.get(key);
      timers.delete(key);
      return call(timer?.id ?? key, ...rest);
    });
  replace('requestAnimationFrame', (call, [callback, ...rest]) => {
    const id = call(callback, ...rest);
    if (!isHeld) return id;
    cancelAnimationFrame(id);
    frames.set(id, callback as FrameRequestCallback);
    return id;
  });
  replace('cancelAnimationFrame', (call, args) => {
    frames.delete(args[0]);
    return call(...args);
  });

  return {
    hold() {
      if (isHeld) return;
      forget();
      isHeld = true;
      for (const timer of timers.values()) {
        clearTimeout(timer.id);
        timer.due -= now();
      }
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      for (const timer of timers.values()) {
        timer.id = timer.start(timer.repeats ? timer.delay : Math.max(0, timer.due));
        timer.due += now();
      }
      for (const [id, callback] of frames)
        requestAnimationFrame((time) => {
          if (frames.delete(id)) callback(time);
        });
    },
  };
}
