import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../src/shared/messages';
import { createConsoleLines } from '../src/ui/console-lines';
import { newerThan } from '../src/ui/lines';

const entry = (timestamp: number, level: LogEntry['level'] = 'log'): LogEntry => ({
  timestamp,
  level,
  message: `line ${timestamp}`,
});
const entries = (...timestamps: number[]) => timestamps.map((each) => entry(each));

describe('which lines are new', () => {
  it.each([
    ['none', [3, 2, 1], [3, 2, 1], 0],
    ['two more', [2, 1], [4, 3, 2, 1], 2],
    ['one more, and the oldest is gone', [3, 2, 1], [4, 3, 2], 1],
    ['fewer are wanted', [3, 2, 1], [3, 2], 0],
    ['more old ones are wanted', [3, 2], [3, 2, 1], 0],
    ['all others', [3, 2, 1], [9, 8], null],
    ['none before', [], [2, 1], null],
    ['none now', [2, 1], [], null],
  ])('%s', (_, before, now, count) => {
    expect(newerThan(entries(...before), entries(...now))).toBe(count);
  });
});

describe('the lines of the console', () => {
  const shown = (element: HTMLElement) =>
    [...element.querySelectorAll('li:not([hidden]) .message')].map(
      ({ textContent }) => textContent,
    );

  it('keep the rows that are there already, so that a selection stays', () => {
    const lines = createConsoleLines();
    lines.update(entries(2, 1));
    const [row] = lines.element.children;
    lines.update(entries(4, 3, 2));
    expect(shown(lines.element)).toEqual(['line 4', 'line 3', 'line 2']);
    expect(lines.element.children[2]).toBe(row);
  });

  it('run the other way round when asked', () => {
    const lines = createConsoleLines();
    lines.turn(false);
    lines.update(entries(2, 1));
    lines.update(entries(3, 2, 1));
    expect(shown(lines.element)).toEqual(['line 1', 'line 2', 'line 3']);
    lines.update(entries(3, 2, 1, 0));
    expect(shown(lines.element)).toEqual(['line 0', 'line 1', 'line 2', 'line 3']);
  });

  it('become others when the console was cleared', () => {
    const lines = createConsoleLines();
    lines.update(entries(2, 1));
    lines.update([]);
    expect(shown(lines.element)).toEqual([]);
    lines.update(entries(3));
    expect(shown(lines.element)).toEqual(['line 3']);
  });

  it('show the chosen levels only, and say the level in words', () => {
    const lines = createConsoleLines();
    lines.update([entry(2, 'error'), entry(1, 'log')]);
    expect(lines.filter(new Set(['error']))).toBe(1);
    expect(shown(lines.element)).toEqual(['line 2']);
    expect(lines.element.querySelector('.error svg')?.getAttribute('aria-label')).toBe('Error');
  });
});
