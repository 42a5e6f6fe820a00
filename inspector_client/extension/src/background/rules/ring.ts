// The newest entries of a tab's console.
import type { LogEntry } from '../../shared/messages';

/** As it is kept over a restart of the worker. */
export interface KeptEntries {
  entries: LogEntry[];
  dropped: number;
}

export interface Ring {
  add(entry: LogEntry): void;
  /** The newest first. */
  newest(max: number): LogEntry[];
  clear(): void;
  /** As many of the newest as fit into so many characters. */
  kept(chars: number): KeptEntries;
  restore(kept: KeptEntries): void;
  readonly count: number;
  /** How many had to make room since it was empty. */
  readonly dropped: number;
}

export function createRing(size: number): Ring {
  let entries: LogEntry[] = [];
  let start = 0;
  let dropped = 0;

  const ordered = () => [...entries.slice(start), ...entries.slice(0, start)];
  const clear = () => {
    entries = [];
    start = dropped = 0;
  };
  const add = (entry: LogEntry) => {
    if (entries.length < size) {
      entries.push(entry);
      return;
    }
    entries[start] = entry;
    start = (start + 1) % size;
    dropped += 1;
  };
  return {
    add,
    newest: (max) => ordered().reverse().slice(0, max),
    clear,
    kept(chars) {
      const all = ordered();
      let first = all.length;
      for (let left = chars; first > 0; first -= 1) {
        left -= all[first - 1]?.message.length ?? 0;
        if (left < 0) break;
      }
      return { entries: all.slice(first), dropped: dropped + first };
    },
    restore(kept) {
      clear();
      for (const entry of kept.entries) add(entry);
      dropped += kept.dropped;
    },
    get count() {
      return entries.length;
    },
    get dropped() {
      return dropped;
    },
  };
}
