import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCalls } from '../src/calls';
import { PostError } from '../src/connection/post';
import { ToolError } from '../src/failure';
import type { Call } from '../src/protocol';
import { call } from './fakes';

const none = async () => ({});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refused = (status: number) => new PostError(status, { code: 'X', message: 'no' });

test('a call id runs once, and a repeated one gets the same answer', async () => {
  const look = vi.fn(async () => 'seen');
  const answer = vi.fn(async () => null);
  const calls = createCalls({ look }, answer, none);
  await Promise.all([calls.run(call('a')), calls.run(call('a'))]);
  await calls.run(call('a'));
  expect(look).toHaveBeenCalledTimes(1);
  expect(answer.mock.calls).toEqual([[{ id: 'a', result: 'seen' }], [{ id: 'a', result: 'seen' }]]);
});

test('only the last 100 ids are remembered', async () => {
  const look = vi.fn(async () => 1);
  const calls = createCalls({ look }, async () => null, none);
  for (let n = 0; n <= 100; n += 1) await calls.run(call(`id${n}`));
  await calls.run(call('id100'));
  expect(look).toHaveBeenCalledTimes(101);
  await calls.run(call('id0'));
  expect(look).toHaveBeenCalledTimes(102);
});

test('a cancelled call is told to stop and answers nothing, now and later', async () => {
  const answer = vi.fn(async () => null);
  let stopped = false;
  const look = (_: unknown, signal: AbortSignal) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        stopped = true;
        resolve('late');
      });
    });
  const calls = createCalls({ look }, answer, none);
  const running = calls.run(call('a'));
  await vi.advanceTimersByTimeAsync(0);
  calls.cancel('a');
  await running;
  await calls.run(call('a'));
  expect(stopped).toBe(true);
  expect(answer).not.toHaveBeenCalled();
});

test('of the calls that run at a reconnect, those that are not sent again end', async () => {
  const ended: unknown[] = [];
  const look = ({ name }: Record<string, unknown>, signal: AbortSignal) =>
    new Promise(() => signal.addEventListener('abort', () => ended.push(name)));
  const calls = createCalls({ look }, async () => null, none);
  const [kept, gone, later] = ['kept', 'gone', 'later'].map((id) =>
    call(id, { args: { name: id } }),
  );
  for (const one of [kept, gone]) void calls.run(one as Call);
  await vi.advanceTimersByTimeAsync(0);
  const endForgotten = calls.recheck();
  void calls.run(kept as Call);
  void calls.run(later as Call);
  endForgotten();
  expect(ended).toEqual(['gone']);
});

test('a call that does not end in time fails, and is told to stop', async () => {
  const answer = vi.fn(async () => null);
  let reason: unknown;
  const look = (_: unknown, signal: AbortSignal) =>
    new Promise(() => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
      });
    });
  const calls = createCalls({ look }, answer, none);
  const running = calls.run(call('a', { args: { timeoutMs: 300 } }));
  await vi.advanceTimersByTimeAsync(300);
  await running;
  const error = { code: 'COMMAND_TIMEOUT', message: 'look did not finish within 300 ms.' };
  expect(answer).toHaveBeenCalledWith({ id: 'a', error: expect.objectContaining(error) });
  expect(reason).toBeInstanceOf(ToolError);
});

test('a call that the page cannot end for now says why', async () => {
  const answer = vi.fn(async () => null);
  const look = () => new Promise(() => undefined);
  const calls = createCalls({ look }, answer, none, () => 'The user is picking.');
  const running = calls.run(call('a', { args: { timeoutMs: 300 } }));
  await vi.advanceTimersByTimeAsync(300);
  await running;
  const message = 'look did not finish within 300 ms. The user is picking.';
  expect(answer).toHaveBeenCalledWith({ id: 'a', error: expect.objectContaining({ message }) });
});

test.each([
  [new ToolError('ELEMENT_NOT_FOUND', 'none', { n: 1 }), 'ELEMENT_NOT_FOUND'],
  [new Error('oops'), 'INTERNAL_ERROR'],
])('%s is answered by its code', async (thrown, code) => {
  const answer = vi.fn(async () => null);
  await createCalls({ look: () => Promise.reject(thrown) }, answer, none).run(call('a'));
  const error = expect.objectContaining({ code, message: thrown.message });
  expect(answer).toHaveBeenCalledWith({ id: 'a', error });
});

test.each(['unknown', 'toString', '__proto__'])('%s is no tool', async (tool) => {
  const answer = vi.fn(async () => null);
  await createCalls({}, answer, none).run(call('a', { tool }));
  const error = expect.objectContaining({ code: 'UNKNOWN_TOOL' });
  expect(answer).toHaveBeenCalledWith({ id: 'a', error });
});

test('an answer that did not get through is sent again, a refused one is not', async () => {
  const answer = vi.fn(async (): Promise<null> => null);
  answer.mockRejectedValueOnce(new TypeError('network')).mockRejectedValueOnce(refused(503));
  const calls = createCalls({ look: async () => 1 }, answer, none);
  await calls.run(call('a'));
  await vi.advanceTimersByTimeAsync(5000);
  expect(answer).toHaveBeenCalledTimes(3);
  answer.mockRejectedValueOnce(refused(410));
  await calls.run(call('b'));
  await vi.advanceTimersByTimeAsync(5000);
  expect(answer).toHaveBeenCalledTimes(4);
});

test('a tool that comes later is loaded with its first call, and not begun once that was cancelled', async () => {
  const answer = vi.fn(async () => null);
  const ask = vi.fn(async () => 'blue');
  let load: (tools: { ask: typeof ask }) => void = () => undefined;
  const more = vi.fn(() => new Promise<{ ask: typeof ask }>((loaded) => (load = loaded)));
  const calls = createCalls({ look: async () => 1 }, answer, more);
  await calls.run(call('a'));
  expect(more).not.toHaveBeenCalled();
  const cancelled = calls.run(call('b', { tool: 'ask' }));
  calls.cancel('b');
  load({ ask });
  await cancelled;
  expect(ask).not.toHaveBeenCalled();
  const running = calls.run(call('c', { tool: 'ask' }));
  load({ ask });
  await running;
  expect(answer).toHaveBeenLastCalledWith({ id: 'c', result: 'blue' });
});
