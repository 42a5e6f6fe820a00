import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLink } from '../../src/background/link';
import { CommandError } from '../../src/background/rules/failure';
import type { SocketListener } from '../../src/background/socket';
import { TABS } from '../../src/shared/contract';

const PORT = 7;

function setup() {
  const said: string[] = [];
  const dials: SocketListener[] = [];
  let prepare: () => Promise<void> = async () => undefined;
  const link = createLink({
    open(_port, listener) {
      dials.push(listener);
      return {
        send: (message) => said.push(JSON.stringify(message)),
        close: () => said.push('close'),
      };
    },
    port: () => PORT,
    prepare: () => prepare(),
    release: () => said.push('release'),
    introduction: async () => ({ type: 'register' }),
    registered: () => said.push('registered'),
    said: ({ type }) => said.push(type),
    lost: () => said.push('lost'),
    renamed: () => said.push('renamed'),
    changed: () => undefined,
  });
  const soon = () => vi.advanceTimersByTimeAsync(0);
  async function answer(open = true): Promise<SocketListener> {
    await soon();
    const listener = dials.at(-1);
    if (!listener) throw new Error('nobody dialled');
    if (open) {
      listener.opened();
      await soon();
      listener.said('{"type":"registered"}');
    }
    return listener;
  }
  const cannot = (error: Error) => {
    prepare = async () => {
      throw error;
    };
  };
  return { link, said, dials, answer, soon, cannot };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the connection of a tab', () => {
  it('is there when the companion says so, not before', async () => {
    const { link, said, dials, soon } = setup();
    link.connect();
    expect(link.connection).toBe('connecting');
    await soon();
    dials[0]?.opened();
    await soon();
    expect([link.connection, said]).toEqual(['connecting', ['{"type":"register"}']]);
    dials[0]?.said('{"type":"registered"}');
    expect([link.connection, said.at(-1)]).toEqual(['connected', 'registered']);
    dials[0]?.said('{"type":"ping"}');
    expect(said.at(-1)).toBe('{"type":"pong"}');
  });

  it('that cannot be made is not tried again, and says why', async () => {
    const { link, answer, dials } = setup();
    link.connect();
    (await answer(false)).closed(0);
    expect([link.connection, link.retryAt, link.problem?.code]).toEqual([
      'idle',
      null,
      'NO_COMPANION',
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(dials.length).toBe(1);
  });

  it('to something else than a companion is given up', async () => {
    const { link, answer, said } = setup();
    link.connect();
    (await answer(false)).opened();
    await vi.advanceTimersByTimeAsync(5000);
    expect([link.connection, link.problem?.message]).toEqual([
      'idle',
      'What listens on port 7 does not answer as a companion does: check the port.',
    ]);
    expect(said).toContain('close');
  });

  it('that is lost is tried again for ever, at most every 30 s', async () => {
    const { link, answer, dials, said } = setup();
    link.connect();
    (await answer()).closed(1006);
    expect([link.connection, link.problem?.code]).toEqual(['idle', 'COMPANION_LOST']);
    expect(said.at(-1)).toBe('lost');
    for (let tries = 2; tries < 12; tries += 1) {
      const wait = (link.retryAt ?? 0) - Date.now();
      expect(wait).toBeLessThanOrEqual(30_000);
      await vi.advanceTimersByTimeAsync(wait);
      expect([dials.length, link.connection]).toEqual([tries, 'connecting']);
      dials.at(-1)?.closed(0);
    }
    await vi.advanceTimersByTimeAsync(30_000);
    await answer();
    expect([link.connection, link.problem, link.retryAt]).toEqual(['connected', null, null]);
    expect(said).not.toContain('release');
  });

  it('that is lost is tried at once when the user wants that, and goes on by itself', async () => {
    const { link, answer, dials, soon } = setup();
    link.connect();
    (await answer()).closed(1006);
    link.connect();
    await soon();
    expect([dials.length, link.connection, link.retryAt]).toEqual([2, 'connecting', null]);
    dials.at(-1)?.closed(0);
    await vi.advanceTimersByTimeAsync((link.retryAt ?? 0) - Date.now());
    expect(dials.length).toBe(3);
  });

  it('is tried no more once the user disconnects', async () => {
    const { link, answer, dials, said } = setup();
    link.connect();
    (await answer()).closed(1006);
    link.disconnect(null);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([link.connection, link.retryAt, dials.length, link.isWanted]).toEqual([
      'idle',
      null,
      1,
      false,
    ]);
    expect(said.at(-1)).toBe('release');
  });

  it('is idle when its socket has closed, or does not', async () => {
    const { link, answer, said } = setup();
    link.connect();
    const socket = await answer();
    link.disconnect(null);
    expect([link.connection, said.at(-1)]).toEqual(['disconnecting', 'close']);
    socket.closed(1000);
    expect(link.connection).toBe('idle');
    link.connect();
    await answer();
    link.disconnect(null);
    await vi.advanceTimersByTimeAsync(2000);
    expect(link.connection).toBe('idle');
  });

  it('is given up while it is made, and what comes of it late is not heard', async () => {
    const { link, dials, said, soon } = setup();
    link.connect();
    link.disconnect(null);
    await soon();
    expect([link.connection, dials.length]).toEqual(['idle', 0]);
    // What was prepared meanwhile is let go of too.
    expect(said).toEqual(['release', 'release']);
    link.connect();
    await soon();
    const early = dials[0];
    link.disconnect(null);
    early?.closed(1006);
    link.connect();
    await soon();
    early?.said('{"type":"registered"}');
    expect(link.connection).toBe('connecting');
  });

  it('of an id that another has gets a new one the next time', async () => {
    const { link, answer, said } = setup();
    link.connect();
    (await answer(false)).closed(TABS.closeCodes.tabIdInUse);
    expect([link.problem?.code, said.slice(-2)]).toEqual(['TAB_ID_IN_USE', ['renamed', 'release']]);
  });

  it('needs the debugger', async () => {
    const { link, cannot, soon, dials } = setup();
    cannot(new CommandError('TAB_NOT_DEBUGGABLE', 'no'));
    link.connect();
    await soon();
    expect([link.connection, link.problem, dials.length]).toEqual([
      'idle',
      { code: 'TAB_NOT_DEBUGGABLE', message: 'no' },
      0,
    ]);
  });

  it('of before the worker was stopped comes back, and is tried again', async () => {
    const { link, answer } = setup();
    link.resume();
    (await answer(false)).closed(0);
    expect(link.retryAt).not.toBeNull();
  });
});
