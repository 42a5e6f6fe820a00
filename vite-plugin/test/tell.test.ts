import { createLogger } from 'vite';
import { describe, expect, test } from 'vitest';
import { hearLogger } from '../src/report/log.ts';
import { readProblem } from '../src/report/problem.ts';
import { createTeller } from '../src/report/tell.ts';
import { until } from './support/server.ts';
import { createListener } from './support/tell.ts';

describe('what is told', () => {
  test('goes out in batches under the lease, and says how long ago each was', async () => {
    const listener = await createListener();
    const teller = createTeller();
    const began = Date.now();
    teller.tell({ event: 'log', level: 'info', text: 'before there was a lease' });
    teller.start(() => ({ companion: listener.companion, lease: 'L1' }));
    teller.tell({ event: 'restart' });
    await until(() => listener.told.length === 2);
    expect(listener.batches).toHaveLength(1);
    expect(listener.batches[0]).toMatchObject({ lease: 'L1', dropped: 0 });
    expect(listener.batches[0]?.sent).toBeGreaterThanOrEqual(began);
    expect(listener.told.map(({ event }) => event)).toEqual(['log', 'restart']);
    expect(listener.told[0]?.ago).toBeGreaterThanOrEqual(listener.told[1]?.ago ?? 0);
  });

  test('waits for a companion that is away, and for a lease that it knows', async () => {
    const listener = await createListener();
    listener.state.status = 410;
    const teller = createTeller();
    teller.start(() => ({ companion: listener.companion, lease: 'old' }));
    teller.tell({ event: 'restart' });
    await until(() => listener.batches.length === 1);
    teller.start(() => ({ companion: { ...listener.companion, port: 9 }, lease: 'none' }));
    await teller.stop();
    listener.state.status = 204;
    teller.start(() => ({ companion: listener.companion, lease: 'new' }));
    await until(() => listener.told.length === 1);
    expect(listener.batches.at(-1)?.lease).toBe('new');
  });

  test('that is refused is given up and counted', async () => {
    const listener = await createListener();
    listener.state.status = 400;
    const teller = createTeller();
    teller.start(() => ({ companion: listener.companion, lease: 'L1' }));
    teller.tell({ event: 'nonsense' });
    await until(() => listener.batches.length === 1);
    listener.state.status = 204;
    teller.tell({ event: 'restart' });
    await until(() => listener.told.length === 1);
    expect(listener.batches.at(-1)).toMatchObject({ dropped: 1, events: [{ event: 'restart' }] });
  });

  test('is bounded: of too many the middle goes, and is counted', async () => {
    const listener = await createListener();
    const teller = createTeller();
    for (let number = 0; number < 1_500; number++) teller.tell({ event: 'log', number });
    for (let number = 0; number < 200; number++)
      teller.tell({ event: 'log', number: 1_500 + number, text: 'x'.repeat(8_000) });
    teller.start(() => ({ companion: listener.companion, lease: 'L1' }));
    await until(() => listener.told.at(-1)?.number === 1_699);
    const numbers = listener.told.map(({ number }) => number);
    expect(numbers.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, number) => number));
    expect(JSON.stringify(listener.told).length).toBeLessThan(600_000);
    const dropped = listener.batches.reduce((sum, batch) => sum + batch.dropped, 0);
    expect(numbers.length + dropped).toBe(1_700);
  });
});

describe('a logger', () => {
  test('is heard without colours, each line once, and logs as before', () => {
    const logged: string[] = [];
    const custom = createLogger('silent');
    custom.warn = (message) => void logged.push(message);
    custom.warnOnce = (message) => custom.warn(message);
    const heard: string[] = [];
    hearLogger(custom, () => heard.push('an earlier server'));
    hearLogger(custom, (level, text) => heard.push(`${level} ${text}`));
    custom.info('\x1b[32mready\x1b[39m');
    custom.warn('twice');
    custom.warnOnce('once');
    custom.warnOnce('once');
    custom.error('bad', { error: new Error('bad') });
    expect(heard).toEqual(['info ready', 'warn twice', 'warn once', 'error bad']);
    expect(logged).toEqual(['twice', 'once', 'once']);
  });
});

describe('the place of an error', () => {
  test('is read from Vite 8’s frame', () => {
    const message =
      'Transform failed with 1 error:\n\n\x1b[31m[PARSE_ERROR] \x1b[0mUnexpected token\n' +
      '   ╭─[ src/b.ts:2:14 ]\n   │\n 2 │    const y = }\n   │              ┬  \n───╯\n';
    expect(
      readProblem({ message, id: '/app/src/b.ts?t=1', frame: '', plugin: 'vite:oxc' }),
    ).toEqual({
      message: 'Unexpected token',
      file: '/app/src/b.ts',
      line: 2,
      column: 14,
      frame: '   ╭─[ src/b.ts:2:14 ]\n   │\n 2 │    const y = }\n   │              ┬  \n───╯',
      plugin: 'vite:oxc',
    });
  });

  test('is read from Vite 7’s list', () => {
    const message = 'Transform failed with 1 error:\n/app/a.ts:2:13: ERROR: Unexpected "}"';
    expect(readProblem({ message })).toEqual({
      message: 'Unexpected "}"',
      file: '/app/a.ts',
      line: 2,
      column: 13,
    });
  });

  test('is what the error says of itself, whatever its types', () => {
    const loc = { file: '/app/s.css', line: 3, column: 0 };
    expect(readProblem({ message: 'Unclosed block', id: '/app/main.css', loc })).toEqual({
      message: 'Unclosed block',
      file: '/app/s.css',
      line: 3,
      column: 0,
    });
    expect(readProblem({ message: 5, id: {}, loc: { line: 'x' }, stack: null })).toEqual({
      message: 'Unknown error',
    });
  });
});
