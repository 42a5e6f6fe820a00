import { h } from '../../../ui/dom';
import type { LogEntry } from '../shared/messages';
import { exactTime } from './format';
import { icon } from './icon';
import { type Level, newerThan } from './lines';
import { levels } from './texts';

function rowOf({ timestamp, level, message }: LogEntry): HTMLElement {
  const date = new Date(timestamp);
  const time = h(
    'time',
    { datetime: date.toISOString(), title: date.toLocaleString() },
    exactTime(timestamp),
  );
  return h('li', `line ${level}`, time, icon(level, levels[level]), h('span', 'message', message));
}

export interface ConsoleLines {
  readonly element: HTMLElement;
  /** Newest first. What is shown already stays as it is: a selection, too. */
  update(entries: LogEntry[]): void;
  /** Shows these levels only; returns how many lines are left. */
  filter(chosen: Set<Level>): number;
  /** Whether the newest line is on top. */
  turn(isNewestFirst: boolean): void;
}

/** The lines of the console. */
export function createConsoleLines(): ConsoleLines {
  const element = h('ol', 'lines');
  let shown: LogEntry[] = [];
  let isNewestFirst = true;
  // Newest first, whatever the order on the screen is.
  let rows: HTMLElement[] = [];

  function place(): void {
    element.replaceChildren(...(isNewestFirst ? rows : rows.toReversed()));
  }
  return {
    element,
    update(entries) {
      const count = newerThan(shown, entries);
      if (count === null) rows = entries.map(rowOf);
      else {
        const added = entries.slice(0, count).map(rowOf);
        for (const row of added.toReversed()) {
          if (isNewestFirst) element.prepend(row);
          else element.append(row);
        }
        rows = [...added, ...rows];
        for (const row of rows.splice(entries.length)) row.remove();
      }
      shown = entries;
      // Also more old lines than before, when more are wanted.
      if (count === null || rows.length < entries.length) {
        rows = [...rows, ...entries.slice(rows.length).map(rowOf)];
        place();
      }
    },
    filter(chosen) {
      for (const [index, entry] of shown.entries()) {
        const row = rows[index];
        if (row) row.hidden = !chosen.has(entry.level);
      }
      return shown.filter(({ level }) => chosen.has(level)).length;
    },
    turn(newestFirst) {
      isNewestFirst = newestFirst;
      place();
    },
  };
}
