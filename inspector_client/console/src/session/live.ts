import { createBackoff } from '../../../src/connection/backoff';
import type { Overview } from './overview';
import { createEventParser } from './sse';

/** No byte for so long (the companion sends a comment every 15 s): the connection is dead. */
const SILENT_MS = 45_000;

export interface LiveListener {
  overview(overview: Overview): void;
  /** The stream ended; it is tried again in `ms`. */
  lost(ms: number): void;
  /** The token is no longer good. */
  expired(): void;
}

export interface Live {
  start(): void;
  stop(): void;
  /** Tries at once, if it waits. */
  wake(): void;
}

/** The overview, whenever it changes. While nobody sees the page it ends, as a browser has few connections. */
export function createLive(path: string, token: () => string | null, listener: LiveListener): Live {
  const backoff = createBackoff();
  let abort: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOn = false;

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    abort?.abort();
    abort = undefined;
  }
  async function connect(): Promise<void> {
    stop();
    const own = new AbortController();
    abort = own;
    const isOver = await follow(own).catch(() => false);
    if (abort !== own) return;
    stop();
    if (isOver) {
      listener.expired();
      return;
    }
    const wait = backoff.next();
    listener.lost(wait);
    timer = setTimeout(() => void connect(), wait);
  }
  /** Until the stream ends; true: for good. */
  async function follow(own: AbortController): Promise<boolean> {
    const headers = { Authorization: `Bearer ${token()}` };
    const answer = await fetch(path, { headers, signal: own.signal });
    if (answer.status === 401 || answer.status === 403) return true;
    if (!answer.ok || !answer.body) return false;
    const parse = createEventParser(({ name, data }) => {
      if (name !== 'overview') return;
      backoff.reset();
      listener.overview(JSON.parse(data));
    });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const silence = setTimeout(() => own.abort(), SILENT_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return false;
      parse(value);
    }
  }

  return {
    start() {
      isOn = true;
      document.addEventListener('visibilitychange', () => {
        if (document.hidden) stop();
        else if (isOn && !abort) void connect();
      });
      void connect();
    },
    stop() {
      isOn = false;
      stop();
    },
    wake() {
      if (timer) void connect();
    },
  };
}
