import { afterEach, expect, it, vi } from 'vitest';
import { inspectedTab, matchDevTools } from '../src/panel/surroundings';

afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

it.each([
  ['?tab=12', 12],
  ['?tab=-1', null],
  ['?tab=a', null],
  ['', null],
])('as a page of its own, %s is about tab %s', (query, tab) => {
  vi.stubGlobal('chrome', {});
  history.replaceState(null, '', `/panel.html${query}`);
  expect(inspectedTab()).toBe(tab);
});

it('in DevTools is about the tab that they inspect, in their colours', () => {
  let change = (_theme: string) => {};
  const panels = {
    themeName: 'default',
    setThemeChangeHandler: (handler: typeof change) => {
      change = handler;
    },
  };
  vi.stubGlobal('chrome', { devtools: { inspectedWindow: { tabId: 5 }, panels } });
  expect(inspectedTab()).toBe(5);
  matchDevTools();
  expect(document.documentElement.style.colorScheme).toBe('light');
  change('dark');
  expect(document.documentElement.style.colorScheme).toBe('dark');
});
