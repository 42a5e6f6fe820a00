import type { CallToolResult } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { fakeStorage } from '../../test/fakes';
import { exportText } from '../src/history/export';
import {
  bounded,
  createHistory,
  entryOf,
  MOST_CHARS,
  MOST_ENTRIES,
  MOST_RESULT_CHARS,
} from '../src/history/store';
import type { Outcome } from '../src/response/outcome';

const outcome = (more: Partial<Outcome> = {}): Outcome => ({
  ...{ tool: 'click', at: 1_700_000_000_000, tookMs: 12, kind: 'success' },
  ...more,
});
const text = (length: number): CallToolResult => ({
  content: [{ type: 'text', text: 'x'.repeat(length) }],
});

/** Refuses texts that are longer than that. */
function small(chars: number): Storage {
  const { storage } = fakeStorage();
  return {
    ...storage,
    getItem: (key: string) => storage.getItem(key),
    setItem(key: string, value: string) {
      if (value.length > chars) throw new DOMException('full', 'QuotaExceededError');
      storage.setItem(key, value);
    },
  } as Storage;
}

test('calls are kept, the newest first, also for the next visit', () => {
  const { storage } = fakeStorage();
  const history = createHistory(() => storage);
  history.add(outcome(), { selector: '#a' });
  history.add(outcome({ tool: 'fill', kind: 'failed' }), {});
  const again = createHistory(() => storage).entries.value;
  expect(again.map(({ tool }) => tool)).toEqual(['fill', 'click']);
  expect(again[1]).toMatchObject({ args: { selector: '#a' }, tookMs: 12, kind: 'success' });
});

test('what another console added stays', () => {
  const { storage } = fakeStorage();
  const [one, two] = [createHistory(() => storage), createHistory(() => storage)];
  one.add(outcome({ tool: 'a' }), {});
  two.add(outcome({ tool: 'b' }), {});
  expect(two.entries.value.map(({ tool }) => tool)).toEqual(['b', 'a']);
});

test('it is bounded by count and by size', () => {
  const many = Array.from({ length: 300 }, () => entryOf(outcome(), {}));
  expect(bounded(many)).toHaveLength(MOST_ENTRIES);
  const large = Array.from({ length: 5 }, () => entryOf(outcome(), { code: 'x'.repeat(400_000) }));
  expect(bounded(large)).toHaveLength(Math.floor(MOST_CHARS / 400_200));
});

test('pictures are left out, and answers that are too large', () => {
  const picture = { type: 'image' as const, mimeType: 'image/png', data: 'A'.repeat(4000) };
  const kept = entryOf(outcome({ result: { content: [picture] } }), {});
  expect(JSON.stringify(kept)).toContain('<picture, 3 kB>');
  expect(JSON.stringify(kept)).not.toContain('AAAA');
  const large = entryOf(outcome({ result: text(MOST_RESULT_CHARS) }), {});
  expect(large).toMatchObject({ isShortened: true });
  expect(large.result).toBeUndefined();
});

test('without room the oldest go; without any it ends with the visit', () => {
  const storage = small(500);
  const history = createHistory(() => storage);
  const troubles: unknown[] = [];
  history.trouble.watch((trouble) => troubles.push(trouble));
  for (let index = 0; index < 8; index++) history.add(outcome({ tool: `t${index}` }), {});
  expect(history.entries.value[0]?.tool).toBe('t7');
  expect(history.entries.value.length).toBeLessThan(8);
  expect(troubles).toContain('shortened');
  const none = createHistory(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  none.add(outcome({ tool: 'a' }), {});
  none.add(outcome({ tool: 'b' }), {});
  expect(none.trouble.value).toBe('full');
  expect(none.entries.value.map(({ tool }) => tool)).toEqual(['b', 'a']);
});

test('what is damaged in storage is passed over', () => {
  const { storage } = fakeStorage();
  storage.setItem('pageside-console-history', '[{"id": 1}, {"tool": "x"}, 7]');
  expect(createHistory(() => storage).entries.value).toEqual([]);
  storage.setItem('pageside-console-history', '{half');
  expect(createHistory(() => storage).entries.value).toEqual([]);
});

test('entries are deleted one by one, or all', () => {
  const { storage } = fakeStorage();
  const history = createHistory(() => storage);
  history.add(outcome({ tool: 'a' }), {});
  history.add(outcome({ tool: 'b' }), {});
  history.remove(history.entries.value[0]?.id ?? '');
  expect(history.entries.value.map(({ tool }) => tool)).toEqual(['a']);
  history.clear();
  expect(createHistory(() => storage).entries.value).toEqual([]);
});

test('the exported file has the oldest first, with ISO times', () => {
  const entries = [outcome({ tool: 'b' }), outcome({ tool: 'a' })].map((each) => entryOf(each, {}));
  const file = JSON.parse(exportText(entries));
  expect(file).toMatchObject({ console: 'pageside', version: 1 });
  expect(file.entries.map(({ tool }: Outcome) => tool)).toEqual(['a', 'b']);
  expect(file.entries[0].at).toBe('2023-11-14T22:13:20.000Z');
});
