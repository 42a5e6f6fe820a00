import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../src/background/rules/failure';
import { promised } from '../../src/background/rules/promised';
import { createQueue, type Ended } from '../../src/background/rules/queue';

function setup(size = 32) {
  const said: string[] = [];
  const queue = createQueue({
    size,
    stop: async () => void said.push('stop'),
    changed: () => undefined,
  });
  const work = new Map<string, (result: unknown) => void>();
  const add = (id: string, limitMs = 1000) =>
    queue.add({
      id,
      limitMs,
      taken: () => said.push(`taken ${id}`),
      ended: (how: Ended, isWanted) =>
        said.push(`ended ${id} ${how.error?.code ?? how.result}${isWanted ? '' : ' unwanted'}`),
      run: (_signal) => {
        const { promise, resolve } = promised<unknown>();
        work.set(id, resolve);
        return promise;
      },
    });
  const finish = async (id: string, result: unknown = 'fine') => {
    work.get(id)?.(result);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { queue, said, add, finish };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the queue of a tab', () => {
  it('runs one command at a time, in the order in which they came', async () => {
    const { queue, said, add, finish } = setup();
    for (const id of ['a', 'b', 'c']) add(id);
    expect([queue.running?.id, queue.waiting]).toEqual(['a', 2]);
    await finish('a');
    await finish('b');
    await finish('c');
    expect(said).toEqual([
      ...['taken a', 'ended a fine', 'taken b', 'ended b fine'],
      ...['taken c', 'ended c fine'],
    ]);
    expect([queue.running, queue.waiting]).toEqual([null, 0]);
  });

  it('gives up one that takes too long, ends what it left, and goes on', async () => {
    const { said, add, finish } = setup();
    add('a');
    add('b');
    await vi.advanceTimersByTimeAsync(1000);
    expect(said).toEqual(['taken a', 'stop', 'ended a COMMAND_TIMEOUT', 'taken b']);
    await finish('a');
    await finish('b');
    expect(said.slice(4)).toEqual(['ended b fine']);
  });

  it('counts the time of each from when it is taken', async () => {
    const { said, add, finish } = setup();
    add('a');
    add('b');
    await vi.advanceTimersByTimeAsync(900);
    await finish('a');
    await vi.advanceTimersByTimeAsync(900);
    await finish('b');
    expect(said.at(-1)).toBe('ended b fine');
  });

  it('drops one that is withdrawn while it waits; of one that runs nobody is told', async () => {
    const { queue, said, add, finish } = setup();
    for (const id of ['a', 'b', 'c']) add(id);
    queue.cancel('b');
    queue.cancel('a');
    queue.cancel('nobody');
    await finish('a');
    await finish('c');
    expect(said).toEqual(['taken a', 'ended a fine unwanted', 'taken c', 'ended c fine']);
  });

  it('takes so many and no more', async () => {
    const { add, finish } = setup(2);
    expect([add('a'), add('b'), add('c')]).toEqual([true, true, false]);
    await finish('a');
    expect(add('d')).toBe(true);
  });

  it('ends all when the connection does, and works again after that', async () => {
    const { queue, said, add, finish } = setup();
    add('a');
    add('b');
    queue.clear(new CommandError('TAB_DISCONNECTED', 'gone'));
    await vi.advanceTimersByTimeAsync(0);
    expect(said).toEqual([
      ...['taken a', 'ended b TAB_DISCONNECTED', 'stop', 'ended a TAB_DISCONNECTED'],
    ]);
    add('c');
    await finish('c');
    expect(said.at(-1)).toBe('ended c fine');
  });
});
