import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ToView } from '../src/shared/messages';
import { watchTab } from '../src/ui/link';
import { aState } from './state';

/** Stands for a port of Chrome's. */
function fakePort() {
  const heard: ((message: ToView) => void)[] = [];
  const gone: (() => void)[] = [];
  return {
    sent: [] as unknown[],
    onMessage: { addListener: (listener: (message: ToView) => void) => heard.push(listener) },
    onDisconnect: { addListener: (listener: () => void) => gone.push(listener) },
    postMessage(message: unknown) {
      this.sent.push(message);
    },
    tell: (message: ToView) => heard.forEach((each) => void each(message)),
    end: () => gone.forEach((each) => void each()),
  };
}

let ports: ReturnType<typeof fakePort>[] = [];
const runtime = {
  id: 'an id' as string | undefined,
  connect() {
    const port = fakePort();
    ports.push(port);
    return port;
  },
};

beforeEach(() => {
  ports = [];
  runtime.id = 'an id';
  vi.useFakeTimers();
  vi.stubGlobal('chrome', { runtime });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('watches the tab again when Chrome has ended the worker', () => {
  const state = vi.fn();
  watchTab(7, { state, gone: vi.fn() });
  ports[0]?.end();
  vi.runAllTimers();
  expect(ports.map(({ sent }) => sent)).toEqual([
    [{ type: 'watch', tab: 7 }],
    [{ type: 'watch', tab: 7 }],
  ]);
  ports[1]?.tell({ type: 'state', state: aState() });
  expect(state).toHaveBeenCalledWith(aState());
});

it('sends at once through a new port what is sent while there is none', () => {
  const send = watchTab(7, { state: vi.fn(), gone: vi.fn() });
  ports[0]?.end();
  send({ type: 'connect' });
  expect(ports[1]?.sent).toEqual([{ type: 'watch', tab: 7 }, { type: 'connect' }]);
  vi.runAllTimers();
  expect(ports).toHaveLength(2);
});

it('says so when the extension itself is gone, and tries no more', () => {
  const gone = vi.fn();
  watchTab(7, { state: vi.fn(), gone });
  runtime.id = undefined;
  ports[0]?.end();
  vi.runAllTimers();
  expect(gone).toHaveBeenCalledOnce();
  expect(ports).toHaveLength(1);
});

it('asks for the connected tabs only where they are shown', () => {
  const tabs = vi.fn();
  watchTab(7, { state: vi.fn(), tabs, gone: vi.fn() });
  expect(ports[0]?.sent).toContainEqual({ type: 'watchTabs' });
  ports[0]?.tell({ type: 'tabs', tabs: [7, 9] });
  expect(tabs).toHaveBeenCalledWith([7, 9]);
});
