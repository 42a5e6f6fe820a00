import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DownListener, DownMessage } from '../src/connection/downlink';
import { createHub, type Port, type UpMessage } from '../src/connection/hub';
import { createStream } from '../src/connection/stream';
import { createVisibleOnly } from '../src/connection/visible-only';
import { timing } from '../src/protocol';

class FakeEventSource extends EventTarget {
  static all: FakeEventSource[] = [];
  static get last(): FakeEventSource {
    return FakeEventSource.all.at(-1) as FakeEventSource;
  }
  onerror: (() => void) | null = null;
  closed = false;
  static readonly CLOSED = 2;
  readyState = 0;
  constructor(readonly url: string) {
    super();
    FakeEventSource.all.push(this);
  }
  close(): void {
    this.closed = true;
  }
  hello(): void {
    this.dispatchEvent(new MessageEvent('hello', { data: '{}' }));
  }
}

const opened = () => FakeEventSource.all.length;
let heard: DownMessage[];
const listener: DownListener = (message) => {
  heard.push(message);
};

beforeEach(() => {
  heard = [];
  FakeEventSource.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a lost stream is tried again with growing delays, 5 s at most', () => {
  createStream('/stream', listener).start();
  let expected: number = timing.retryMs;
  for (let tries = 1; tries <= 8; tries += 1) {
    FakeEventSource.last.onerror?.();
    vi.advanceTimersByTime(expected * 0.74);
    expect(opened()).toBe(tries);
    vi.advanceTimersByTime(expected * 0.27);
    expect(opened()).toBe(tries + 1);
    expected = Math.min(timing.retryCapMs, expected * 2);
  }
});

test('a hello starts the delays over', () => {
  createStream('/stream', listener).start();
  for (let tries = 0; tries < 5; tries += 1) {
    FakeEventSource.last.onerror?.();
    vi.advanceTimersByTime(timing.retryCapMs);
  }
  FakeEventSource.last.hello();
  const before = opened();
  FakeEventSource.last.onerror?.();
  vi.advanceTimersByTime(timing.retryMs);
  expect(opened()).toBe(before + 1);
});

test('each try has a channel of its own, told when its hello came', () => {
  createStream('/stream', listener).start();
  FakeEventSource.last.onerror?.();
  vi.advanceTimersByTime(timing.retryMs);
  FakeEventSource.last.hello();
  const channels = FakeEventSource.all.map(({ url }) => url.replace('/stream?channel=', ''));
  expect(new Set(channels).size).toBe(2);
  for (const channel of channels) expect(channel).toMatch(/^[\w-]{16,64}$/);
  expect(heard).toEqual([{ kind: 'lost' }, { kind: 'open', channel: channels[1] }]);
});

test('a stream that never says hello is given up', () => {
  createStream('/stream', listener).start();
  vi.advanceTimersByTime(11_000);
  expect(FakeEventSource.all[0]?.closed).toBe(true);
  expect(opened()).toBe(2);
});

test('waking tries at once, but leaves a good stream alone', () => {
  const stream = createStream('/stream', listener);
  stream.start();
  FakeEventSource.last.onerror?.();
  stream.wake();
  expect(opened()).toBe(2);
  FakeEventSource.last.hello();
  stream.wake();
  expect(opened()).toBe(2);
});

const answers = (status: number, body: object) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify(body), { status })),
  );
const WRONG = { error: { code: 'WRONG_PROJECT', message: 'Another project.', fix: 'Start one.' } };

test('a stream that is refused says why, and goes on trying', async () => {
  answers(409, WRONG);
  createStream('/stream', listener).start();
  FakeEventSource.last.readyState = FakeEventSource.CLOSED;
  FakeEventSource.last.onerror?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(heard.at(-1)).toEqual({ kind: 'lost', message: 'Another project. Start one.' });
  await vi.advanceTimersByTimeAsync(timing.retryMs);
  expect(opened()).toBe(2);
});

test('a companion that is away is no refusal, and a dead network is not asked', async () => {
  answers(503, { error: { code: 'PAGE_NOT_CONNECTED', message: 'Away.' } });
  createStream('/stream', listener).start();
  FakeEventSource.last.onerror?.();
  await vi.advanceTimersByTimeAsync(timing.retryMs);
  expect(fetch).not.toHaveBeenCalled();
  FakeEventSource.last.readyState = FakeEventSource.CLOSED;
  FakeEventSource.last.onerror?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(heard.at(-1)).toEqual({ kind: 'lost', message: undefined });
});

test('a stopped stream stays closed', () => {
  const stream = createStream('/stream', listener);
  stream.start();
  FakeEventSource.last.onerror?.();
  stream.stop();
  vi.advanceTimersByTime(60_000);
  expect(opened()).toBe(1);
});

test('without locks only a visible page keeps a stream', () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
  const open = (down: DownListener) => createStream('/stream', down);
  createVisibleOnly(page as unknown as Document, open, listener).start();
  expect(opened()).toBe(0);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(opened()).toBe(1);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(FakeEventSource.last.closed).toBe(true);
});

interface FakePort extends Port {
  got: DownMessage[];
  send(message: UpMessage): void;
}
function fakePort(): FakePort {
  const port: FakePort = {
    got: [],
    onmessage: null,
    postMessage: (message) => void port.got.push(message),
    send: (message) => port.onmessage?.({ data: message } as MessageEvent<UpMessage>),
  };
  return port;
}

test('all tabs share one stream, and a late one hears that it is open', () => {
  const open = (down: DownListener) => createStream('/stream', down);
  const hub = createHub({ openStream: open, closePage: () => undefined, untilFree: null });
  const [first, second] = [fakePort(), fakePort()];
  hub.add(first);
  FakeEventSource.last.hello();
  hub.add(second);
  expect(opened()).toBe(1);
  expect(second.got).toEqual([first.got.at(-1)]);
  expect(second.got[0]?.kind).toBe('open');
  first.send({ kind: 'bye' });
  expect(FakeEventSource.last.closed).toBe(false);
  second.send({ kind: 'bye' });
  expect(FakeEventSource.last.closed).toBe(true);
});

test('the page of a dead tab is closed when its lock is free, that of one that left is not', async () => {
  const closed: string[] = [];
  const free = new Map<string, () => void>();
  const hub = createHub({
    openStream: (down) => createStream('/stream', down),
    closePage: (page, key) => void closed.push(`${page}:${key}`),
    untilFree: (lock) => new Promise((resolve) => free.set(lock, resolve)),
  });
  const [dead, left] = [fakePort(), fakePort()];
  for (const [port, page] of [
    [dead, 'dead'],
    [left, 'left'],
  ] as const) {
    hub.add(port);
    port.send({ kind: 'page', page, key: 'k1', lock: page });
  }
  dead.send({ kind: 'page', page: 'dead', key: 'k2', lock: 'dead' });
  left.send({ kind: 'bye' });
  for (const release of free.values()) release();
  await vi.advanceTimersByTimeAsync(0);
  expect(closed).toEqual(['dead:k2']);
});
