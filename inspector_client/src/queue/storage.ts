import { attempt } from '../basics';
import { storageNames } from '../protocol';
import { type Entry, isEntry } from './entry';
import { isOpen } from './status';

const KEY = storageNames.local.items;
const CORRUPT_CHARS = 100_000;
const { limits } = storageNames;

/** Why the queue is not, or not wholly, in localStorage. */
export type StorageProblem = 'corrupt' | 'denied' | 'full';

export interface EntryStorage {
  read(): Entry[];
  write(entries: Entry[]): void;
  readonly problem: StorageProblem | null;
}

/** `open` may throw, and so may everything on what it returns. */
export function createEntryStorage(
  open: () => Storage,
  now: () => number = Date.now,
): EntryStorage {
  let problem: StorageProblem | null = null;

  function parse(raw: string | null): Entry[] {
    if (raw === null) return [];
    const list: unknown = attempt(() => JSON.parse(raw), undefined);
    const entries = Array.isArray(list) ? list.filter(isEntry) : [];
    if (!Array.isArray(list) || entries.length < list.length) {
      problem = 'corrupt';
      attempt(() => open().setItem(storageNames.local.corrupt, raw.slice(0, CORRUPT_CHARS)), null);
    }
    return entries;
  }
  return {
    get problem() {
      return problem;
    },
    read() {
      try {
        return parse(open().getItem(KEY));
      } catch {
        problem = 'denied';
        return [];
      }
    },
    write(entries) {
      const kept = keepable(entries, now());
      for (let count = kept.length; ; count = Math.floor(count / 2)) {
        const failure = store(open, kept.slice(0, count));
        if (failure === null) {
          // What is left out is known to the companion, unless it carries unsent changes.
          const lost = kept.slice(count).some((entry) => entry.unsent);
          problem = lost ? 'full' : problem === 'corrupt' ? 'corrupt' : null;
          return;
        }
        if (failure === 'denied' || count === 0) {
          problem = failure;
          return;
        }
      }
    },
  };
}

/** Most needed first: unsent, then open, then closed ones; old tombstones not at all. */
function keepable(entries: Entry[], now: number): Entry[] {
  const need = (entry: Entry) => (entry.unsent ? 2 : isOpen(entry.status) ? 1 : 0);
  const fresh = (entry: Entry) =>
    entry.status !== 'deleted' || entry.unsent || now - entry.updated < limits.tombstoneMs;
  return entries
    .filter(fresh)
    .sort((a, b) => need(b) - need(a) || b.timestamp - a.timestamp)
    .filter((entry, index) => index < limits.items || entry.unsent);
}

function store(open: () => Storage, entries: Entry[]): StorageProblem | null {
  const text = JSON.stringify(entries);
  if (text.length > limits.bytes && entries.length > 0) return 'full';
  try {
    open().setItem(KEY, text);
    return null;
  } catch (error) {
    return isQuota(error) ? 'full' : 'denied';
  }
}

function isQuota(error: unknown): boolean {
  return (
    error instanceof DOMException &&
    (error.name === 'QuotaExceededError' || error.name === 'NS_ERROR_DOM_QUOTA_REACHED')
  );
}
