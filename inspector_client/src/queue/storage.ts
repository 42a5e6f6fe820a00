import { attempt } from '../basics';
import { localKeys, storageLimits } from '../protocol';
import { type Entry, isEntry } from './entry';
import { isOpen } from './status';

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
  /** What lies there, as far as this tab knows: reading and writing the same again would cost every tab. */
  let known = { text: '[]', entries: [] as Entry[] };

  function parse(raw: string): Entry[] {
    const list: unknown = attempt(() => JSON.parse(raw), null);
    const entries = Array.isArray(list) ? list.filter(isEntry) : [];
    if (!Array.isArray(list) || entries.length < list.length) {
      corrupt = true;
      attempt(() => open().setItem(localKeys.corrupt, raw.slice(0, CORRUPT_CHARS)), null);
    }
    return entries;
  }
  /** As many as there is room for, the most needed first. What is left out the companion knows, unless it is unsent. */
  function store(entries: Entry[], count: number): StorageProblem | null {
    const kept = entries.slice(0, count);
    const text = JSON.stringify(kept);
    try {
      if (text.length > storageLimits.bytes) throw new DOMException('', 'QuotaExceededError');
      if (text !== known.text) open().setItem(localKeys.items, text);
      known = { text, entries: kept };
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
        const text = open().getItem(localKeys.items) ?? '[]';
        if (text !== known.text) known = { text, entries: parse(text) };
        return known.entries;
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
  const oldest = Date.now() - storageLimits.tombstoneMs;
  return entries
    .filter(({ status, unsent, updated }) => status !== 'deleted' || unsent || updated > oldest)
    .sort((a, b) => need(b) - need(a) || b.timestamp - a.timestamp)
    .filter(({ unsent }, index) => index < storageLimits.items || unsent);
}
