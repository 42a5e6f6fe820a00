// Runs in the page's own world: follows what an action started (timers, requests, frames) until it has had its effect.
//
// Whatever is begun while the page handles an input event, or in what follows from that, belongs to the action; what
// the page begins by itself meanwhile does not. Tasks tell them apart: an input event, and each callback that belongs,
// open a stretch that ends with its task.

import { createPatches } from './patches';

const LONGEST_TIMER_MS = 1000;
const MAX_DEPTH = 4;
/** How long the page's functions stay wrapped after an action that nobody asked about. */
const LEASE_MS = 5000;
const FRAME_LIMIT_MS = 100;
const IDLE_LIMIT_MS = 50;
const INPUT =
  `pointerdown pointerup pointermove pointerover mousedown mouseup mousemove mouseover mouseenter click
  dblclick auxclick contextmenu keydown keypress keyup beforeinput input change focus focusin blur focusout submit
  reset dragstart dragenter dragover drop dragend select toggle`.split(/\s+/);

type Callback = (...args: unknown[]) => unknown;
type Timer = (this: unknown, callback: unknown, ms?: number, ...args: unknown[]) => number;
type Clear = (this: unknown, id?: number) => void;
type Frame = (this: unknown, callback: FrameRequestCallback) => number;
type Fetch = typeof window.fetch;
type Read = (this: Response) => Promise<unknown>;
type Send = (this: XMLHttpRequest, ...args: unknown[]) => void;
const BODIES = ['json', 'text', 'arrayBuffer', 'blob', 'formData'] as const;

export default function createTracker() {
  // For our own waiting, whatever the page makes of them later.
  const later = window.setTimeout.bind(window) as unknown as (
    run: (nothing?: unknown) => void,
    ms: number,
  ) => number;
  const noLonger = window.clearTimeout.bind(window) as unknown as (id: number) => void;
  const nextFrame = window.requestAnimationFrame.bind(window);
  const patches = createPatches();
  const responses = new WeakMap<Response, number>();
  const pending = new Map<object, string>();
  const timers = new Map<number, object>();
  /** How many steps from the action what runs now is; null: it has nothing to do with it. */
  let depth: number | null = null;
  let isArmed = false;
  /** Something was handled or begun since the last time that somebody waited. */
  let isTouched = false;
  let lease = 0;

  function stretch(steps: number): void {
    depth = steps;
    const end = () => {
      depth = null;
    };
    const { scheduler } = window as {
      scheduler?: { postTask(run: () => void, how: object): void };
    };
    // Before every other task that waits.
    if (scheduler) scheduler.postTask(end, { priority: 'user-blocking' });
    else later(end, 0);
  }
  function begin(label: string): object | null {
    if (depth === null || depth >= MAX_DEPTH) return null;
    const token = {};
    pending.set(token, label);
    isTouched = true;
    return token;
  }
  /** It has happened: what runs next follows from it. */
  function happened(token: object, steps: number): void {
    if (pending.delete(token)) stretch(steps);
  }

  const timeout =
    (theirs: Timer): Timer =>
    (callback, ms, ...args) => {
      const isShort = typeof callback === 'function' && !((ms ?? 0) > LONGEST_TIMER_MS);
      const token = isShort ? begin(`a timer of ${ms ?? 0} ms`) : null;
      if (!token) return theirs.call(window, callback, ms, ...args);
      const steps = (depth ?? 0) + 1;
      const run = () => {
        timers.delete(id);
        happened(token, steps);
        return (callback as Callback).apply(window, args);
      };
      const id = theirs.call(window, run, ms);
      timers.set(id, token);
      return id;
    };
  const clear =
    (theirs: Clear): Clear =>
    (id) => {
      const token = id === undefined ? undefined : timers.get(id);
      if (token) pending.delete(token);
      theirs.call(window, id);
    };
  const frame =
    (theirs: Frame): Frame =>
    (callback) => {
      const token = begin('a frame');
      if (!token) return theirs.call(window, callback);
      const steps = (depth ?? 0) + 1;
      return theirs.call(window, (now) => {
        happened(token, steps);
        callback(now);
      });
    };
  const request =
    (theirs: Fetch): Fetch =>
    (...args) => {
      const token = begin(`a request of ${urlOf(args[0])}`);
      const answer = theirs.apply(window, args);
      if (!token) return answer;
      const steps = (depth ?? 0) + 1;
      // Attached first, so that it runs before the page's own.
      answer.then(
        (response) => {
          responses.set(response, steps);
          happened(token, steps);
        },
        () => happened(token, steps),
      );
      return answer;
    };
  const body = (theirs: Read): Read =>
    function () {
      const read = theirs.call(this);
      const steps = responses.get(this);
      if (steps === undefined || steps >= MAX_DEPTH) return read;
      const token = {};
      pending.set(token, 'an answer');
      const done = () => happened(token, steps + 1);
      read.then(done, done);
      return read;
    };
  const sending = (theirs: Send): Send =>
    function (...args) {
      const token = begin('a request');
      if (token) {
        const steps = (depth ?? 0) + 1;
        this.addEventListener('readystatechange', () => {
          if (this.readyState === 4) happened(token, steps);
        });
      }
      theirs.apply(this, args);
    };

  function wrap(): void {
    patches.replace(window, 'setTimeout', timeout as never);
    patches.replace(window, 'clearTimeout', clear as never);
    patches.replace(window, 'clearInterval', clear as never);
    patches.replace(window, 'requestAnimationFrame', frame as never);
    patches.replace(window, 'fetch', request as never);
    patches.replace(XMLHttpRequest.prototype, 'send', sending as never);
    for (const name of BODIES) patches.replace(Response.prototype, name, body as never);
    for (const type of INPUT) window.addEventListener(type, onInput, true);
  }
  function unwrap(): void {
    isArmed = false;
    noLonger(lease);
    patches.restore();
    for (const type of INPUT) window.removeEventListener(type, onInput, true);
  }
  function onInput(): void {
    isTouched = true;
    if (depth === null) stretch(0);
  }

  /** A frame was drawn, and then the page had nothing left to do: what it renders in pieces is done. */
  const rest = () =>
    new Promise<unknown>((done) => {
      const idle = () => requestIdleCallback(done, { timeout: IDLE_LIMIT_MS });
      nextFrame(idle);
      later(done, FRAME_LIMIT_MS);
    });

  return {
    /** From now on the events of an action are followed. */
    arm(): void {
      noLonger(lease);
      if (!isArmed) wrap();
      isArmed = true;
      lease = later(unwrap, LEASE_MS);
    },
    /** A script of the agent begins in this task: what it starts belongs to it. */
    enter(): void {
      stretch(0);
    },
    /** Resolves when nothing of it is under way and the page has drawn it; says what still is after the time. */
    async settled(limitMs: number): Promise<string[]> {
      const end = performance.now() + limitMs;
      while (isTouched && performance.now() < end) {
        await rest();
        if (!pending.size) break;
      }
      isTouched = false;
      const left = [...pending.values()];
      pending.clear();
      unwrap();
      return left;
    },
  };
}

function urlOf(given: RequestInfo | URL): string {
  const text = given instanceof Request ? given.url : String(given);
  if (!URL.canParse(text, location.href)) return 'an address that is none';
  const { origin, pathname } = new URL(text, location.href);
  return origin === location.origin ? pathname : origin + pathname;
}
