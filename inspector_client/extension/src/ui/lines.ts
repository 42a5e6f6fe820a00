import type { LogEntry } from '../shared/messages';

export type Level = LogEntry['level'];

const isSame = (one: LogEntry, other: LogEntry): boolean =>
  one.timestamp === other.timestamp && one.level === other.level && one.message === other.message;

/** How many of `entries` are newer than all of `before`; null when the two do not join. Both newest first. */
export function newerThan(before: LogEntry[], entries: LogEntry[]): number | null {
  for (let count = 0; count < entries.length; count += 1) {
    const overlap = Math.min(before.length, entries.length - count);
    if (overlap === 0) return null;
    const joins = before.slice(0, overlap).every((each, index) => {
      const entry = entries[count + index];
      return entry !== undefined && isSame(each, entry);
    });
    if (joins) return count;
  }
  return null;
}
