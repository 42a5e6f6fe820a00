import { expect, test } from 'vitest';
import { clientUrl } from '../src/inject.ts';
import { checkedOverlay, type OverlayOptions } from '../src/overlay.ts';

const server = { headers: {} } as Parameters<typeof clientUrl>[0]['server'];

test('keys are written in the one way that the client compares', () => {
  const shortcuts = {
    element: 'shift+alt+p',
    area: false as const,
    panel: 'F9',
    answer: ' ctrl + Backquote',
  };
  expect(checkedOverlay({ shortcuts }).shortcuts).toEqual({
    element: 'Alt+Shift+P',
    area: false,
    panel: 'F9',
    answer: 'Ctrl+Backquote',
  });
});

test.each([
  [
    { theme: 'pink' },
    `'overlay.theme' is "pink": set it to one of "auto", "light", "dark", "page".`,
  ],
  [{ sides: 'left' }, "there is no option 'overlay.sides'"],
  [
    { shortcuts: { element: 'I' } },
    `'overlay.shortcuts.element' is "I": write keys as 'Alt+I', or false`,
  ],
  [{ shortcuts: { element: 'Hyper+I' } }, "'overlay.shortcuts.element'"],
  [{ shortcuts: { pick: 'Alt+I' } }, "there is no option 'overlay.shortcuts.pick'"],
])('%j is refused with what is allowed', (given, message) => {
  expect(() => checkedOverlay(given as OverlayOptions)).toThrow(message);
});

test('the client gets them in its URL, and nothing where there are none', () => {
  const overlay = checkedOverlay({ side: 'left' });
  const url = (options?: OverlayOptions) =>
    new URL(clientUrl({ base: '/', server }, 'id', options), 'http://x');
  expect(JSON.parse(url(overlay).searchParams.get('overlay') ?? '')).toEqual({ side: 'left' });
  expect(url({}).searchParams.has('overlay')).toBe(false);
});
