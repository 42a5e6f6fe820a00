import { expect, test, vi } from 'vitest';
import { createState } from '../src/basics';
import { localKeys } from '../src/protocol';
import { createSettings, type Settings } from '../src/settings';
import { createShortcuts, keysOf } from '../src/shortcuts';
import { fakeStorage } from './fakes';

const NAME = localKeys.settings;

function open(kept: string | null = null, project: string | null = null) {
  const { storage } = fakeStorage();
  if (kept !== null) storage.setItem(NAME, kept);
  return { settings: createSettings(project, () => storage), storage };
}

test('the user has it his way, else the project, else as always', () => {
  const project = JSON.stringify({ theme: 'dark', side: 'left', shortcuts: { area: 'Alt+R' } });
  const { settings } = open('{"side":"right","shortcuts":{"element":false}}', project);
  expect(settings.value).toMatchObject({
    theme: 'dark',
    side: 'right',
    freeze: true,
    shortcuts: { element: false, area: 'Alt+R', answer: 'Alt+A', panel: false },
  });
});

test.each([
  '',
  'null',
  '[]',
  '7',
  '{"shortcuts":7}',
  '{"theme":"pink","side":1,"freeze":"no"}',
  '{"shortcuts":{"element":"I","area":"+","other":"Alt+O","__proto__":"Alt+P"}}',
  '{broken',
])('what makes no sense is as if it were not there: %s', (kept) => {
  expect(open(kept).settings.value).toEqual(open().settings.value);
});

test('another tab of the origin changes them for this one too', () => {
  const { settings, storage } = open();
  const seen = vi.fn();
  settings.watch(({ theme }) => seen(theme));
  storage.setItem(NAME, '{"theme":"light"}');
  dispatchEvent(new StorageEvent('storage', { key: NAME }));
  expect(seen.mock.calls).toEqual([['auto'], ['light']]);
});

test('denied storage leaves the defaults', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  expect(createSettings(null, denied).value.theme).toBe('auto');
});

const press = (code: string, more: object = {}, target: object = {}) =>
  ({
    type: 'keydown',
    code,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    composedPath: () => [target],
    ...more,
  }) as unknown as KeyboardEvent;

test('keys have one name, whatever they type and in whatever order they are held', () => {
  expect(keysOf(press('KeyI', { key: 'ˆ', altKey: true }))).toBe('Alt+I');
  expect(keysOf(press('Digit4', { metaKey: true, ctrlKey: true }))).toBe('Ctrl+Meta+4');
  expect(keysOf(press('F9'))).toBe('F9');
  const held = ['ctrlKey', 'altKey', 'shiftKey', 'metaKey'];
  const all = new Set<string>();
  for (let bits = 0; bits < 16; bits += 1) {
    const keys = Object.fromEntries(held.map((name, bit) => [name, Boolean(bits & (1 << bit))]));
    all.add(keysOf(press('KeyI', keys)));
  }
  expect(all.size).toBe(16);
});

test('a shortcut follows the settings, and does nothing in text', () => {
  const { settings } = open();
  const state = createState<Settings>(settings.value);
  const element = vi.fn();
  const watch = createShortcuts(state, { element });
  const alt = { altKey: true };
  expect(watch(press('KeyI', alt))).toBe(true);
  const input = (type: string) => Object.assign(document.createElement('input'), { type });
  const typing = [
    document.createElement('textarea'),
    input('text'),
    input('email'),
    { localName: 'div', isContentEditable: true },
    { localName: 'div', role: 'textbox' },
  ];
  for (const target of typing) expect(watch(press('KeyI', alt, target))).toBe(false);
  expect(watch(press('KeyI', alt, input('checkbox')))).toBe(true);
  expect(watch(press('KeyI', { ...alt, repeat: true }))).toBe(false);
  expect(watch(press('KeyI', { ...alt, shiftKey: true }))).toBe(false);
  state.set({
    ...settings.value,
    shortcuts: { ...settings.value.shortcuts, element: 'Ctrl+Alt+9' },
  });
  expect(watch(press('KeyI', alt))).toBe(false);
  expect(watch(press('Digit9', { ...alt, ctrlKey: true }))).toBe(true);
  state.set({ ...settings.value, shortcuts: { ...settings.value.shortcuts, element: false } });
  expect(watch(press('Digit9', { ...alt, ctrlKey: true }))).toBe(false);
  expect(element).toHaveBeenCalledTimes(3);
});
