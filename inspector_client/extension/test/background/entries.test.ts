import { describe, expect, it } from 'vitest';
import { createRepeats, entryOf } from '../../src/background/rules/entries';
import { messageOf, type Remote } from '../../src/background/rules/told';
import { LIMITS } from '../../src/shared/contract';

const text = (value: string): Remote => ({ type: 'string', value });
const number = (value: number): Remote => ({ type: 'number', value, description: String(value) });
const object = (properties: object[], more: object = {}): Remote => ({
  type: 'object',
  description: 'Object',
  preview: { type: 'object', description: 'Object', overflow: false, properties, ...more } as never,
});

describe('what was logged', () => {
  it.each([
    [[text('a'), number(1)], 'a 1'],
    [[text('%s-%d-%i-%f'), text('x'), number(1.9), text('7px'), text('2.5')], 'x-1-7-2.5'],
    [[text('%c%o 100%% %s'), text('color: red'), number(3)], '3 100% %s'],
    [[number(5), text('%s'), number(6)], '5 %s 6'],
    [[{ type: 'undefined' }], 'undefined'],
    [[{ type: 'object', subtype: 'null', value: null }], 'null'],
    [[{ type: 'number', unserializableValue: '-0' }], '-0'],
    [[{ type: 'function', description: 'async (a,\n b) => { return 1 }' }], 'ƒ async (a, b) =>'],
    [[{ type: 'object', subtype: 'node', description: 'div#a', preview: {} as never }], 'div#a'],
    [[object([{ name: 'a', type: 'string', value: 'x' }], { overflow: true })], '{a: "x", …}'],
    [
      [
        object([
          { name: 'get', type: 'accessor' },
          { name: 'f', type: 'function' },
        ]),
      ],
      '{get: (…), f: ƒ}',
    ],
    [[], ''],
  ] as [Remote[], string][])('%j is told as %s', (given, told) => {
    expect(messageOf(given)).toBe(told);
  });

  it('is cut with a note', () => {
    const told = messageOf([text('x'.repeat(LIMITS.entryChars + 7))]);
    expect(told.endsWith('x… [7 more characters]')).toBe(true);
    expect(told.length).toBeLessThan(LIMITS.entryChars + 40);
  });

  it('has its level, whichever way it came', () => {
    const called = (type: string) =>
      entryOf('Runtime.consoleAPICalled', { type, args: [text('x')], timestamp: 5 });
    expect(called('table')).toEqual({ timestamp: 5, level: 'log', message: 'x' });
    expect(called('assert')).toMatchObject({ level: 'error', message: 'Assertion failed: x' });
    expect(called('endGroup')).toBeNull();
    const exceptionDetails = {
      text: 'Uncaught (in promise)',
      exception: { type: 'object', subtype: 'error', description: 'Error: no\n    at x' },
    };
    expect(entryOf('Runtime.exceptionThrown', { timestamp: 5, exceptionDetails })).toMatchObject({
      level: 'error',
      message: 'Uncaught (in promise) Error: no\n    at x',
    });
    const entry = { level: 'verbose', text: 'Slow', timestamp: 5, url: 'http://x/' };
    expect(entryOf('Log.entryAdded', { entry })).toMatchObject({
      level: 'debug',
      message: 'Slow (http://x/)',
    });
    expect(entryOf('Page.loadEventFired', {})).toBeNull();
  });
});

describe('what Chrome tells again', () => {
  it('is taken once, and what is new is not lost', () => {
    const repeats = createRepeats();
    const isRepeat = (at: number) => repeats.isRepeat('', 'Runtime.consoleAPICalled', at);
    expect([1, 2, 2, 3].map(isRepeat)).toEqual([false, false, false, false]);
    repeats.asked('');
    expect([1, 2, 2, 3, 4].map(isRepeat)).toEqual([true, true, true, true, false]);
    expect(repeats.isRepeat('', 'Log.entryAdded', 1)).toBe(false);
    expect(repeats.isRepeat('a frame', 'Runtime.consoleAPICalled', 1)).toBe(false);
    repeats.told('');
    // The clock may be set back.
    expect(isRepeat(1)).toBe(false);
    const restarted = createRepeats({ ...repeats.newest });
    restarted.asked('');
    expect(restarted.isRepeat('', 'Runtime.exceptionThrown', 4)).toBe(true);
    expect(restarted.isRepeat('', 'Runtime.exceptionThrown', 5)).toBe(false);
  });
});
