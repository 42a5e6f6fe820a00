import { expect, test } from 'vitest';
import { createTabMemory } from '../src/connection/tab';
import { fakeStorage } from './fakes';

test('a document replaces the one that left this tab before', () => {
  const { storage } = fakeStorage();
  const memory = createTabMemory(() => storage);
  expect(memory.arrive('first')).toBeUndefined();
  memory.leave('first');
  expect(memory.arrive('second')).toBe('first');
});

test('a copy of a living tab replaces nobody', () => {
  const { storage, data } = fakeStorage();
  createTabMemory(() => storage).arrive('opener');
  const copy = fakeStorage(Object.fromEntries(data));
  expect(createTabMemory(() => copy.storage).arrive('opened')).toBeUndefined();
});

test.each(['{', '7', '{"left":true}', '{"page":3,"left":true}'])('%s is no memory', (raw) => {
  const { storage } = fakeStorage({ 'pageside-tab': raw });
  expect(createTabMemory(() => storage).arrive('page')).toBeUndefined();
});

test('a tab without storage has no memory and no trouble', () => {
  const memory = createTabMemory(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  memory.leave('first');
  expect(memory.arrive('second')).toBeUndefined();
});
