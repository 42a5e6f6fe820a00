import { expect, test } from 'vitest';
import { createTabMemory } from '../src/connection/tab';
import { fakeStorage } from './fakes';

test('a document replaces those that left this tab before', () => {
  const { storage } = fakeStorage();
  const memory = createTabMemory(() => storage);
  expect(memory.arrive()).toEqual([]);
  memory.leave(['second', 'first']);
  expect(memory.arrive()).toEqual(['second', 'first']);
  expect(memory.arrive()).toEqual([]);
});

test('a tab whose documents never get far keeps the newest in mind, and the one that was there', () => {
  const { storage } = fakeStorage();
  const memory = createTabMemory(() => storage);
  for (let number = 0; number < 50; number++) memory.leave([`${number}`, ...memory.arrive()]);
  expect(memory.arrive()).toEqual(['49', '48', '47', '46', '45', '44', '43', '0']);
});

test('a copy of a living tab replaces nobody', () => {
  const { storage, data } = fakeStorage();
  createTabMemory(() => storage).arrive();
  const copy = fakeStorage(Object.fromEntries(data));
  expect(createTabMemory(() => copy.storage).arrive()).toEqual([]);
});

test.each(['{', '7', '{"left":true}', '{"left":[3,null]}'])('%s is no memory', (raw) => {
  const { storage } = fakeStorage({ 'pageside-tab': raw });
  expect(createTabMemory(() => storage).arrive()).toEqual([]);
});

test('a tab without storage has no memory and no trouble', () => {
  const memory = createTabMemory(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  memory.leave(['first']);
  expect(memory.arrive()).toEqual([]);
});
