import { h } from '../../../ui/dom';
import type { HistoryEntry } from './store';

/** The history as a file of its own, oldest first. */
export function exportText(entries: readonly HistoryEntry[]): string {
  const told = entries.toReversed().map(({ id: _, at, ...rest }) => ({
    at: new Date(at).toISOString(),
    ...rest,
  }));
  return `${JSON.stringify({ console: 'pageside', version: 1, entries: told }, null, 2)}\n`;
}

export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url));
}
