import { afterEach, expect, test, vi } from 'vitest';
import { createGate } from '../src/gate';

/** A window whose user is the test: real input cannot be made by script. */
function setUp() {
  let onEvent: (event: Event) => void = () => undefined;
  const view = {
    removeEventListener: () => undefined,
    addEventListener: (_: string, listener: (event: Event) => void) => {
      onEvent = listener;
    },
  };
  const isShortcut = (event: KeyboardEvent) =>
    event.type === 'keydown' && event.code === 'KeyI' && event.altKey;
  const gate = createGate(() => false, isShortcut);
  gate.join(view as unknown as Window);
  /** True when the page gets the event. */
  function input(type: string, more: object = {}): boolean {
    let passes = true;
    const stopImmediatePropagation = () => {
      passes = false;
    };
    const event = {
      type,
      isTrusted: true,
      composedPath: () => [],
      preventDefault: () => undefined,
    };
    onEvent({ ...event, stopImmediatePropagation, ...more } as unknown as Event);
    return passes;
  }
  return { gate, input };
}

const KEY = { code: 'KeyI', key: 'i' };
const press = { button: 0 };

afterEach(() => void vi.restoreAllMocks());

test('the page sees neither the shortcut nor the release of its key', () => {
  const { input } = setUp();
  expect(input('keydown', { ...KEY, altKey: true })).toBe(false);
  expect(input('keydown', { ...KEY, repeat: true })).toBe(false);
  expect(input('keyup', KEY)).toBe(false);
  expect(input('keydown', KEY)).toBe(true);
});

test('after a release that got lost, the key types again', () => {
  const { input } = setUp();
  input('keydown', { ...KEY, altKey: true });
  expect([input('keydown', KEY), input('keypress', KEY), input('keyup', KEY)]).toEqual([
    true,
    true,
    true,
  ]);
});

test('a window that loses the focus gets no releases, and expects none', () => {
  const { input } = setUp();
  input('keydown', { ...KEY, altKey: true });
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  input('blur');
  expect(input('keypress', KEY)).toBe(true);
});

test('the click of the press that picked stays here, the next one does not', () => {
  const { gate, input } = setUp();
  const release = gate.take(({ type }) => type === 'pointerup' && release());
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
    expect(input(type, press)).toBe(false);
  expect(input('pointerdown', press)).toBe(true);
});

test('a click right after Esc reaches the page', () => {
  const { gate, input } = setUp();
  const release = gate.take(({ type }) => type === 'keydown' && release());
  input('keydown', { code: 'Escape', key: 'Escape' });
  for (const type of ['pointerdown', 'pointerup', 'click']) expect(input(type, press)).toBe(true);
});
