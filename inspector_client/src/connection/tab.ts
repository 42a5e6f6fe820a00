import { attempt, isRecord } from '../basics';
import { limits, sessionKeys } from '../protocol';

const KEY = sessionKeys.tab;

/** The tab's memory of the documents that it showed before. `window.open` copies it: empty while one is there. */
export interface TabMemory {
  /** The documents that this one replaces, the newest first, if they have left. */
  arrive(): string[];
  /** `pages`: the one that leaves, and those that it replaced itself, should nobody know it. */
  leave(pages: string[]): void;
}

export function createTabMemory(open: () => Storage): TabMemory {
  const write = (left: string[]) => attempt(() => open().setItem(KEY, JSON.stringify({ left })));

  function read(): string[] {
    const value: unknown = attempt(() => JSON.parse(open().getItem(KEY) ?? 'null'), null);
    const left = isRecord(value) && Array.isArray(value.left) ? value.left : [];
    return left.filter((page) => typeof page === 'string');
  }
  return {
    arrive() {
      const before = read();
      write([]);
      return before;
    },
    leave(pages) {
      const most = limits.replaced - 1;
      // The last one stays: it is the one that surely was connected.
      write([...pages.slice(0, most), ...pages.slice(most).slice(-1)]);
    },
  };
}
