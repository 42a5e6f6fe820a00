import { attempt, createState, isRecord, randomId, type State } from '../../../src/basics';
import { type Outcome, withoutPictures } from '../response/outcome';
import type { Args } from '../tools/check';

const KEY = 'pageside-console-history';
export const MOST_ENTRIES = 200;
/** Characters in storage; browsers keep about 5 million for an origin. */
export const MOST_CHARS = 1_000_000;
/** Of one answer; a larger one is not kept. */
export const MOST_RESULT_CHARS = 32_000;

/** One call and how it ended, without pictures. */
export interface HistoryEntry extends Outcome {
  id: string;
  args: Args;
}

/** `shortened`: only the newest fit; `full`: not even one. */
export type Trouble = 'shortened' | 'full' | undefined;

export interface HistoryStore {
  /** The newest first. */
  readonly entries: State<HistoryEntry[]>;
  /** Why the browser does not keep it, if so. */
  readonly trouble: State<Trouble>;
  add(outcome: Outcome, args: Args): void;
  remove(id: string): void;
  clear(): void;
}

/** Calls of all consoles of this companion, as far as the browser has room for them. */
export function createHistory(storage: () => Storage = () => localStorage): HistoryStore {
  const entries = createState(read());
  const trouble = createState<Trouble>(undefined);

  function read(): HistoryEntry[] {
    const text = attempt(() => storage().getItem(KEY), null);
    const value: unknown = text && attempt(() => JSON.parse(text));
    return Array.isArray(value) ? value.filter(isEntry) : [];
  }
  /** What another console added meanwhile stays, unless nothing is kept. */
  function change(action: (known: HistoryEntry[]) => HistoryEntry[]): void {
    const known = trouble.value === 'full' ? entries.value : read();
    const next = bounded(action(known));
    const count = write(next);
    const isWhole = count === next.length;
    entries.set(isWhole || count === 0 ? next : next.slice(0, count));
    trouble.set(isWhole ? undefined : count ? 'shortened' : 'full');
  }
  function stored(text: string): boolean {
    return attempt(() => {
      storage().setItem(KEY, text);
      return true;
    }, false);
  }
  /** How many of the newest there was room for. */
  function write(next: HistoryEntry[]): number {
    for (let count = next.length; ; count = Math.floor(count / 2)) {
      const text = JSON.stringify(next.slice(0, count));
      if (stored(text) || count === 0) return count;
    }
  }

  globalThis.addEventListener('storage', ({ key }) => {
    if (key === KEY && trouble.value !== 'full') entries.set(read());
  });
  return {
    entries,
    trouble,
    add: (outcome, args) => change((known) => [entryOf(outcome, args), ...known]),
    remove: (id) => change((known) => known.filter((each) => each.id !== id)),
    clear: () => change(() => []),
  };
}

function isEntry(value: unknown): value is HistoryEntry {
  return (
    isRecord(value) &&
    ['id', 'tool', 'kind'].every((name) => typeof value[name] === 'string') &&
    ['at', 'tookMs'].every((name) => typeof value[name] === 'number') &&
    isRecord(value.args)
  );
}

export function entryOf(outcome: Outcome, args: Args): HistoryEntry {
  const { result, ...rest } = outcome;
  const entry = { id: randomId(), args, ...rest };
  if (!result) return entry;
  const kept = withoutPictures(result);
  const isKept = JSON.stringify(kept).length <= MOST_RESULT_CHARS;
  return isKept ? { ...entry, result: kept } : { ...entry, isShortened: true };
}

/** As many of the newest as there is room for. */
export function bounded(entries: HistoryEntry[]): HistoryEntry[] {
  let room = MOST_CHARS;
  const kept = entries.slice(0, MOST_ENTRIES);
  const first = kept.findIndex((entry) => {
    room -= JSON.stringify(entry).length + 1;
    return room < 0;
  });
  return first < 0 ? kept : kept.slice(0, first);
}
