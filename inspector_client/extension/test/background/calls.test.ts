import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCalls } from '../../src/background/page/calls';
import { CommandError } from '../../src/background/rules/failure';

const never = () => new Promise<never>(() => undefined);
const dialog = new CommandError('DIALOG_OPEN', 'a dialog is open');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('calls to Chrome', () => {
  it('end in time', async () => {
    const { call } = createCalls(never);
    const late = expect(call('Page.enable', {}, { limitMs: 100 })).rejects.toMatchObject({
      code: 'COMMAND_TIMEOUT',
    });
    await vi.advanceTimersByTimeAsync(100);
    await late;
  });

  it('end at once when a dialog opens, but for those that a dialog does not concern', async () => {
    const calls = createCalls(never);
    const blocked = expect(calls.call('Runtime.evaluate')).rejects.toBe(dialog);
    let isOver = false;
    void calls.call('Page.navigate').catch(() => {
      isOver = true;
    });
    calls.refuse(dialog, (method) => method === 'Page.navigate');
    await blocked;
    expect(isOver).toBe(false);
    await expect(calls.call('Runtime.evaluate')).rejects.toBe(dialog);
  });

  it('are accepted again when it is answered', async () => {
    const calls = createCalls(async () => ({ fine: true }));
    calls.refuse(dialog, () => false);
    calls.accept();
    expect(await calls.call('Runtime.evaluate')).toEqual({ fine: true });
  });

  it('of a command end with it, and it begins no others', async () => {
    const sent: string[] = [];
    const calls = createCalls((method) => {
      sent.push(method);
      return never();
    });
    const control = new AbortController();
    const call = calls.until(control.signal);
    const given = expect(call('Page.reload')).rejects.toBe('enough');
    control.abort('enough');
    await given;
    await expect(call('Page.enable')).rejects.toBe('enough');
    expect(sent).toEqual(['Page.reload']);
  });
});
