import { attempt, isRecord } from '../basics';
import { sessionKeys } from '../protocol';

const KEY = sessionKeys.tab;

/** The tab's memory of the document that it showed before. `window.open` copies it, hence `left`. */
export interface TabMemory {
  /** The document that this one replaces, if that one has left; from now on the tab shows `page`. */
  arrive(page: string): string | undefined;
  leave(page: string): void;
}

export function createTabMemory(open: () => Storage): TabMemory {
  const write = (page: string, left: boolean) =>
    attempt(() => open().setItem(KEY, JSON.stringify({ page, left })));

  function read(): string | undefined {
    const value: unknown = attempt(() => JSON.parse(open().getItem(KEY) ?? 'null'), null);
    return isRecord(value) && value.left === true && typeof value.page === 'string'
      ? value.page
      : undefined;
  }
  return {
    arrive(page) {
      const before = read();
      write(page, false);
      return before;
    },
    leave: (page) => write(page, true),
  };
}
