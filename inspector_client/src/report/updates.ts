import { clip, isRecord } from '../basics';
import { hotSymbol } from '../protocol';
import type { Happening, Tell } from '../reports';
import type { Trace } from './trace';

const TEXT_CHARS = 2000;

/** What Vite's client says, as the plugin's loader hands it on: an event's name, its payload, and when it was. */
export type HotEvent = [name: string, payload: unknown, at: number];

interface Update {
  type: string;
  path: string;
  acceptedPath: string;
  timestamp: number;
}

export interface Updates {
  start(): void;
  /** A line of the console: Vite says there, and nowhere else, that a module could not be replaced. */
  heard(level: string, text: string): void;
}

/** Tells hot updates as this page sees them: applied, failed, or followed by a reload. */
export function createUpdates(tell: Tell, trace: Trace): Updates {
  let failures: string[] = [];
  let reason = '';

  function read(name: string, payload: Record<string, unknown>): Happening[] {
    const { path, message } = payload as Record<string, string | undefined>;
    if (name === 'afterUpdate')
      return ended(payload.updates as Update[], payload.stamps as number[] | undefined);
    if (name === 'error') return [problem(payload.err as Record<string, unknown>)];
    if (name === 'invalidate') return [{ event: 'invalidated', path, message }];
    if (name === 'ws:connect') return [{ event: 'connected' }];
    if (name === 'ws:disconnect') return [{ event: 'disconnected' }];
    return concerns(path) ? [{ event: 'reloading' }] : [];
  }
  /** Of an update that has nothing for this page too: whoever waits for it need not any more. */
  function ended(all: Update[], stamps = all.map(({ timestamp }) => timestamp)): Happening[] {
    const updates = all.filter(({ type, path }) => type !== 'css-update' || isLinked(path));
    const failed = updates.filter(({ acceptedPath }) => failures.includes(acceptedPath));
    const applied = updates.filter((update) => !failed.includes(update));
    // A stack says nothing that the traced place does not.
    const message =
      reason.replace(/\n\s+at [\s\S]*/, '') || 'The changed module could not be loaded.';
    const told = failed.length ? [summed('failed', failed, stamps, { message })] : [];
    for (const each of told) trace(each, reason);
    failures = [];
    reason = '';
    return applied.length || !failed.length ? [...told, summed('applied', applied, stamps)] : told;
  }
  function take([name, payload, at]: HotEvent): void {
    for (const happening of read(name, isRecord(payload) ? payload : {})) tell(happening, at);
  }

  return {
    start() {
      const shared = globalThis as unknown as Record<symbol, HotEvent[] | undefined>;
      const symbol = Symbol.for(hotSymbol);
      const early = shared[symbol] ?? [];
      Object.defineProperty(globalThis, symbol, { value: { push: take }, writable: true });
      early.forEach(take);
    },
    heard(level, text) {
      if (level !== 'error' || !text.startsWith('[vite] ')) return;
      const failure = /^\S+ Failed to reload (\S+?)\. /.exec(text)?.[1];
      if (failure) failures.push(failure);
      else reason = clip(text.slice(7), TEXT_CHARS);
    },
  };
}

function summed(event: string, updates: Update[], stamps: number[], more = {}): Happening {
  const shown = updates.map(({ type, path, acceptedPath }) => ({ type, path, acceptedPath }));
  return { event, stamps: [...new Set(stamps)], updates: shown, ...more };
}

function isLinked(path: string): boolean {
  const [style = ''] = path.split('?');
  return [...document.querySelectorAll('link')].some(({ href }) => href.includes(style));
}

function problem({ message, id, frame, loc }: Record<string, unknown>): Happening {
  const { file = id, line, column } = isRecord(loc) ? loc : {};
  return {
    event: 'failed',
    message: clip(String(message), TEXT_CHARS),
    file,
    line,
    column,
    frame: frame || undefined,
  };
}

/** Vite tells every page when a document changed, and reloads only those that show it. */
function concerns(path = '*'): boolean {
  const shown = location.pathname.replace(/\/$/, '/index.html');
  return !path.endsWith('.html') || path === '/index.html' || decodeURI(shown).endsWith(path);
}
