import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ToView } from '../src/shared/messages';
import { watchTab } from '../src/ui/link';
import { texts } from '../src/ui/texts';
import { anOutcome, aState } from './state';

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
  watchTab(7, { state, ended: vi.fn() });
  ports[0]?.end();
  vi.runAllTimers();
  expect(ports.map(({ sent }) => sent)).toEqual([
    [{ type: 'watch', tab: 7 }],
    [{ type: 'watch', tab: 7 }],
  ]);
  ports[1]?.tell({ type: 'state', state: aState(), news: [] });
  expect(state).toHaveBeenCalledWith(aState());
});

it('sends at once through a new port what is sent while there is none', () => {
  const send = watchTab(7, { state: vi.fn(), ended: vi.fn() });
  ports[0]?.end();
  send({ type: 'connect' });
  expect(ports[1]?.sent).toEqual([{ type: 'watch', tab: 7 }, { type: 'connect' }]);
  vi.runAllTimers();
  expect(ports).toHaveLength(2);
});

it('says so when the extension itself is gone, and tries no more', () => {
  const ended = vi.fn();
  watchTab(7, { state: vi.fn(), ended });
  runtime.id = undefined;
  ports[0]?.end();
  vi.runAllTimers();
  expect(ended).toHaveBeenCalledExactlyOnceWith(texts.gone);
  expect(ports).toHaveLength(1);
});

it('asks for the connected tabs only where they are shown', () => {
  const tabs = vi.fn();
  watchTab(7, { state: vi.fn(), tabs, ended: vi.fn() });
  expect(ports[0]?.sent).toContainEqual({ type: 'watchTabs' });
  ports[0]?.tell({ type: 'tabs', tabs: [7, 9] });
  expect(tabs).toHaveBeenCalledWith([7, 9]);
});

it('keeps the outcomes that it was told of, each once, and begins anew with another worker', () => {
  const state = vi.fn();
  watchTab(7, { state, ended: vi.fn() });
  const [one, two, three] = ['one', 'two', 'three'].map((id) => anOutcome(id));
  if (!one || !two || !three) throw new Error();
  ports[0]?.tell({ type: 'state', state: aState(), news: [one] });
  ports[0]?.tell({ type: 'state', state: aState(), news: [three, two] });
  ports[0]?.tell({ type: 'state', state: aState(), news: [] });
  expect(state).toHaveBeenLastCalledWith(aState({ outcomes: [three, two, one] }));
  ports[0]?.end();
  vi.runAllTimers();
  ports[1]?.tell({ type: 'state', state: aState(), news: [two] });
  expect(state).toHaveBeenLastCalledWith(aState({ outcomes: [two] }));
});

it('says so when the tab is closed', () => {
  const ended = vi.fn();
  watchTab(7, { state: vi.fn(), ended });
  ports[0]?.tell({ type: 'closed' });
  expect(ended).toHaveBeenCalledExactlyOnceWith(texts.closed);
});
