import { attempt } from '../basics';
import { storageNames } from '../protocol';
import { type Entry, isEntry } from './entry';
import { isOpen } from './status';

const { items: KEY, corrupt: CORRUPT } = storageNames.local;
const { limits } = storageNames;
const CORRUPT_CHARS = 100_000;

/** Why the queue is not, or not wholly, in localStorage. */
export type StorageProblem = 'corrupt' | 'denied' | 'full';

export interface EntryStorage {
  read(): Entry[];
  write(entries: Entry[]): void;
  readonly problem: StorageProblem | null;
}

/** `open` may throw, and so may everything on what it returns. */
export function createEntryStorage(open: () => Storage): EntryStorage {
  let corrupt = false;
  let problem: StorageProblem | null = null;

  function parse(raw: string): Entry[] {
    const list: unknown = attempt(() => JSON.parse(raw), null);
    const entries = Array.isArray(list) ? list.filter(isEntry) : [];
    if (!Array.isArray(list) || entries.length < list.length) {
      corrupt = true;
      attempt(() => open().setItem(CORRUPT, raw.slice(0, CORRUPT_CHARS)), null);
    }
    return entries;
  }
  /** As many as there is room for, the most needed first. What is left out the companion knows, unless it is unsent. */
  function store(entries: Entry[], count: number): StorageProblem | null {
    const text = JSON.stringify(entries.slice(0, count));
    try {
      if (text.length > limits.bytes) throw new DOMException('', 'QuotaExceededError');
      open().setItem(KEY, text);
      return entries[count]?.unsent ? 'full' : null;
    } catch (error) {
      if (!(error instanceof DOMException && /quota/i.test(error.name))) return 'denied';
      return count ? store(entries, count >> 1) : 'full';
    }
  }
  return {
    get problem() {
      return problem ?? (corrupt ? 'corrupt' : null);
    },
    read() {
      try {
        return parse(open().getItem(KEY) ?? '[]');
      } catch {
        problem = 'denied';
        return [];
      }
    },
    write(entries) {
      const kept = keepable(entries);
      problem = store(kept, kept.length);
    },
  };
}

/** Most needed first: unsent, then open, then closed ones; old tombstones not at all. */
function keepable(entries: Entry[]): Entry[] {
  const need = ({ unsent, status }: Entry) => (unsent ? 2 : Number(isOpen(status)));
  const oldest = Date.now() - limits.tombstoneMs;
  return entries
    .filter(({ status, unsent, updated }) => status !== 'deleted' || unsent || updated > oldest)
    .sort((a, b) => need(b) - need(a) || b.timestamp - a.timestamp)
    .filter(({ unsent }, index) => index < limits.items || unsent);
}
