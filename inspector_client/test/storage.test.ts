import { expect, test } from 'vitest';
import { limits, localKeys, type SourceInfo, storageLimits } from '../src/protocol';
import { isStatus, mayBecome } from '../src/queue/status';
import { createEntryStorage } from '../src/queue/storage';
import { fakeStorage, item } from './fakes';

const KEY = localKeys.items;
const CORRUPT = localKeys.corrupt;

test.each(['{not json', 'null', '"text"', '{"a":1}'])('damaged storage %s is kept aside', (raw) => {
  const { storage, data } = fakeStorage({ [KEY]: raw });
  const entries = createEntryStorage(() => storage);
  expect(entries.read()).toEqual([]);
  expect(entries.problem).toBe('corrupt');
  expect(data.get(CORRUPT)).toBe(raw);
  entries.write([item('x')]);
  expect(entries.read()).toHaveLength(1);
});

test('the valid ones of damaged entries are read', () => {
  const broken = { ...item('y'), status: '__proto__' };
  const { storage } = fakeStorage({ [KEY]: JSON.stringify([item('x'), broken, null, 7]) });
  const entries = createEntryStorage(() => storage);
  expect(entries.read().map(({ id }) => id)).toEqual(['x']);
  expect(entries.problem).toBe('corrupt');
});

test('what is left of a deleted one is no damage', () => {
  const left = item('gone', { status: 'deleted', sourceInfo: {} as SourceInfo });
  const { storage } = fakeStorage({ [KEY]: JSON.stringify([left]) });
  const entries = createEntryStorage(() => storage);
  expect(entries.read()).toEqual([left]);
  expect(entries.problem).toBeNull();
});

test('storage that may not be opened is said, and nothing throws', () => {
  const entries = createEntryStorage(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  expect(entries.read()).toEqual([]);
  entries.write([item('x')]);
  expect(entries.problem).toBe('denied');
});

test('when room is short, closed entries go first and unsent ones last', () => {
  const { storage, state } = fakeStorage();
  const entries = createEntryStorage(() => storage);
  const unsent = { ...item('unsent'), unsent: [{ kind: 'create' as const, change: 'c', at: 1 }] };
  const all = [item('done', { status: 'completed', timestamp: 9 }), item('open'), unsent];
  state.room = JSON.stringify([unsent]).length + 10;
  entries.write(all);
  expect(entries.read().map(({ id }) => id)).toEqual(['unsent']);
  expect(entries.problem).toBeNull();
  state.room = 10;
  entries.write([{ ...unsent, description: 'changed' }]);
  expect(entries.problem).toBe('full');
});

test('the cache stays within its limits', () => {
  const { storage, data } = fakeStorage();
  const entries = createEntryStorage(() => storage);
  const long = 'x'.repeat(limits.descriptionChars);
  const many = Array.from({ length: 300 }, (_, n) => item(`i${n}`, { description: long }));
  entries.write(many);
  expect(data.get(KEY)?.length).toBeLessThan(storageLimits.bytes);
  expect(entries.read().length).toBeLessThanOrEqual(storageLimits.items);
});

test('tombstones are kept for their time only', () => {
  const { storage } = fakeStorage();
  const entries = createEntryStorage(() => storage);
  const old = Date.now() - storageLimits.tombstoneMs - 1;
  entries.write([
    item('fresh', { status: 'deleted', updated: Date.now() }),
    item('old', { status: 'deleted', updated: old }),
  ]);
  expect(entries.read().map(({ id }) => id)).toEqual(['fresh']);
});

test('names that objects have by themselves are no statuses', () => {
  expect(['__proto__', 'constructor', 'toString', 'done', 7, null].filter(isStatus)).toEqual([]);
});

test.each([
  ['pending', 'in-progress', true],
  ['in-progress', 'in-progress', true],
  ['completed', 'pending', true],
  ['completed', 'failed', false],
  ['deleted', 'pending', false],
] as const)('%s may become %s: %s', (from, to, allowed) => {
  expect(mayBecome(from, to)).toBe(allowed);
});
