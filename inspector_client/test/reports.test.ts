import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PostError } from '../src/connection/post';
import type { Resolved } from '../src/protocol';
import { createRecorder } from '../src/recorder';
import { tellConsole } from '../src/report/console';
import { createTrace } from '../src/report/trace';
import { createUpdates, type HotEvent } from '../src/report/updates';
import { createReports, type Happening } from '../src/reports';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Sent = { events: (Happening & { ago: number })[]; dropped: number };

function setUp(answer: () => unknown = () => null) {
  const batches: (Sent & { last: boolean })[] = [];
  const reports = createReports(async (batch, last) => {
    batches.push({ ...(structuredClone(batch) as Sent), last });
    return answer();
  });
  const texts = () => batches.flatMap(({ events }) => events.map(({ text }) => text));
  const line = (text: string, level = 'info') => ({ event: 'console', level, text });
  return { reports, batches, texts, line };
}

test('what happened before the page was connected is sent after it, with its age', async () => {
  const { reports, batches, line } = setUp();
  reports.tell(line('early'));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(batches).toEqual([]);
  reports.open(true);
  await vi.advanceTimersByTimeAsync(100);
  expect(batches).toMatchObject([{ dropped: 0, last: false, events: [{ text: 'early' }] }]);
  expect(batches[0]?.events[0]?.ago).toBeGreaterThanOrEqual(5_000);
});

test('errors leave at once, all else in larger batches, and nothing while nothing happens', async () => {
  const { reports, batches, texts, line } = setUp();
  reports.open(true);
  reports.tell(line('one'));
  await vi.advanceTimersByTimeAsync(150);
  expect(batches).toEqual([]);
  reports.tell(line('two', 'error'));
  await vi.advanceTimersByTimeAsync(100);
  expect(texts()).toEqual(['one', 'two']);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(batches).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('of a flood the middle is dropped and counted', async () => {
  const { reports, batches, texts, line } = setUp();
  for (let number = 0; number < 2_000; number++) reports.tell(line(String(number)));
  reports.open(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches[0]?.dropped).toBe(1_500);
  expect([texts()[0], texts()[99], texts()[100], texts().at(-1)]).toEqual([
    '0',
    '99',
    '1600',
    '1999',
  ]);
});

test('a flood of the console takes no update with it', async () => {
  const { reports, batches, line } = setUp();
  for (let number = 0; number < 200; number++) reports.tell(line('before'));
  reports.tell({ event: 'applied', stamps: [1], updates: [] });
  for (let number = 0; number < 2_000; number++) reports.tell(line('after'));
  reports.open(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches[0]?.events).toHaveLength(500);
  expect(batches[0]?.dropped).toBe(1_701);
  expect(batches[0]?.events.filter(({ event }) => event === 'applied')).toHaveLength(1);
});

test('a large batch does not wait', async () => {
  const { reports, batches, line } = setUp();
  reports.open(true);
  for (let number = 0; number < 100; number++) reports.tell(line('x'.repeat(1_000)));
  await vi.advanceTimersByTimeAsync(0);
  expect(batches).toHaveLength(1);
});

test('what could not be delivered is sent again, what is refused is counted', async () => {
  const errors = [
    new PostError(503, { code: 'X', message: 'Away.' }),
    new PostError(410, { code: 'X', message: 'Who?' }),
    new PostError(400, { code: 'X', message: 'No.' }),
  ];
  const { reports, batches, texts, line } = setUp(() => {
    const error = errors.shift();
    if (error) throw error;
  });
  reports.open(true);
  reports.tell(line('kept'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(texts()).toEqual(['kept', 'kept', 'kept']);
  reports.tell(line('next'));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(batches.at(-1)).toMatchObject({ dropped: 1, events: [{ text: 'next' }] });
});

test('a document that goes sends its last words, as many as it may', () => {
  const { reports, batches, texts, line } = setUp();
  reports.open(true);
  for (let number = 0; number < 200; number++) reports.tell(line(`${number}${'x'.repeat(700)}`));
  reports.leave();
  expect(batches).toHaveLength(1);
  expect(batches[0]?.last).toBe(true);
  expect(JSON.stringify(batches).length).toBeLessThan(60_000);
  expect(texts().at(-1)).toMatch(/^199x/);
  expect(texts().length + (batches[0]?.dropped ?? 0)).toBe(200);
});

test('what the page logs is told with its level, and nothing that it logs can make it throw', () => {
  const told: Happening[] = [];
  const target = { debug() {}, log() {}, info() {}, warn() {}, error() {} } as unknown as Console;
  const tell = (happening: Happening) => void told.push(happening);
  const trace = () => {};
  createRecorder(target, tellConsole(tell, createUpdates(tell, trace), trace)).start();
  target.log('hello', { a: 1 });
  target.log('%c%s has %d%% of %s', 'color: red', 'Ann', 5, 'all', [1]);
  target.log('100%', 'sure');
  target.log({ user: 'ann', password: 'hunter2', tokens: 5 });
  target.warn('careful');
  target.debug('[vite] connected.');
  const nasty = {
    get stack() {
      throw new Error('no');
    },
    toString() {
      throw new Error('no');
    },
  };
  target.error(nasty);
  dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: nasty }));
  dispatchEvent(
    Object.assign(new Event('error'), {
      message: 'Uncaught Error: boom',
      error: new Error('boom'),
    }),
  );
  expect(told).toMatchObject([
    { event: 'console', level: 'info', text: 'hello {a: 1}' },
    { text: 'Ann has 5% of all [1]' },
    { text: '100% sure' },
    { text: '{user: ann, password: [redacted], tokens: 5}' },
    { level: 'warning', text: 'careful' },
    { level: 'error' },
    { level: 'error', text: '[unreadable]', uncaught: true },
    {
      level: 'error',
      text: 'Uncaught Error: boom',
      uncaught: true,
      stack: expect.stringContaining('boom'),
    },
  ]);
});

test('updates are told as the page saw them: applied, failed with the reason, or followed by a reload', () => {
  const told: Happening[] = [];
  const symbol = Symbol.for('pageside.hot');
  const shared = globalThis as unknown as Record<symbol, HotEvent[]>;
  const update = (path: string) => ({ type: 'js-update', path, acceptedPath: path, timestamp: 7 });
  shared[symbol] = [['afterUpdate', { type: 'update', updates: [update('/a.ts')] }, 1]];
  const traced: string[] = [];
  const updates = createUpdates(
    (happening) => void told.push(happening),
    (_, stack = '') => void traced.push(stack),
  );
  updates.start();
  const hear = (name: string, payload?: unknown) => shared[symbol]?.push([name, payload, 2]);
  const thrown = 'TypeError: b is not a function\n    at http://localhost/b.ts?t=7:3:1';
  updates.heard('error', `[vite] ${thrown}`);
  updates.heard('error', '[vite] Failed to reload /b.ts. This could be due to syntax errors.');
  hear('afterUpdate', { updates: [update('/b.ts'), update('/c.ts')] });
  hear('afterUpdate', { stamps: [8], updates: [] });
  hear('error', {
    err: { message: 'Unexpected token', id: '/app/b.ts', loc: { line: 2, column: 3 } },
  });
  hear('invalidate', { path: '/c.ts', message: 'no' });
  hear('beforeFullReload', { path: '/other.html' });
  hear('beforeFullReload', { path: '*' });
  hear('ws:disconnect', { webSocket: {} });
  const shown = (path: string) => ({ type: 'js-update', path, acceptedPath: path });
  expect(told).toEqual([
    { event: 'applied', stamps: [7], updates: [shown('/a.ts')] },
    {
      event: 'failed',
      stamps: [7],
      updates: [shown('/b.ts')],
      message: 'TypeError: b is not a function',
    },
    { event: 'applied', stamps: [7], updates: [shown('/c.ts')] },
    { event: 'applied', stamps: [8], updates: [] },
    { event: 'failed', message: 'Unexpected token', file: '/app/b.ts', line: 2, column: 3 },
    { event: 'invalidated', path: '/c.ts', message: 'no' },
    { event: 'reloading' },
    { event: 'disconnected' },
  ]);
  expect(traced).toEqual([thrown]);
});

test('an uncaught error is told with its place in the project, if that is known in time', async () => {
  const { reports, batches } = setUp();
  const own = { file: 'src/a.ts', line: 4, column: 2, package: null } as Resolved;
  const asked: unknown[] = [];
  let takesMs = 120;
  const trace = createTrace(async (places) => {
    asked.push(...places);
    await new Promise((done) => setTimeout(done, takesMs));
    return [own];
  }, reports.hold);
  reports.open(true);
  const heard = tellConsole(reports.tell, createUpdates(reports.tell, trace), trace);
  const stack = `Error: boom
    at g (http://localhost/node_modules/.vite/deps/g.js:1:1)
    at f (http://localhost/src/a.ts?t=7:30:7)`;
  heard('error', 'Uncaught Error: boom', stack);
  await vi.advanceTimersByTimeAsync(210);
  expect(asked).toMatchObject([{ frame: { url: 'http://localhost/src/a.ts?t=7', line: 30 } }]);
  expect(batches.at(-1)?.events).toMatchObject([{ uncaught: true, file: 'src/a.ts', line: 4 }]);
  takesMs = 10_000;
  heard('error', 'Uncaught Error: boom', stack);
  await vi.advanceTimersByTimeAsync(250);
  expect(batches.at(-1)?.events).toMatchObject([{ uncaught: true }]);
  expect(batches.at(-1)?.events[0]).not.toHaveProperty('file');
});
