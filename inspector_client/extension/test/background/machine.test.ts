import { describe, expect, it } from 'vitest';
import { after, EVENTS, type Event, isOpen, MOVES } from '../../src/background/rules/machine';
import { retryDelay } from '../../src/background/rules/retry';
import type { Connection } from '../../src/shared/messages';

const STATES = Object.keys(MOVES) as Connection[];
const LONGEST = 6;

/** Every sequence of so many events, from idle. */
function* walks(
  length: number,
  state: Connection = 'idle',
  seen: Event[] = [],
): Generator<[Event[], Connection]> {
  yield [seen, state];
  if (seen.length === length) return;
  for (const event of EVENTS) yield* walks(length, after(state, event), [...seen, event]);
}

describe('the states of a connection', () => {
  it.each([
    ['idle', 'connect', 'connecting'],
    ['connecting', 'registered', 'connected'],
    ['connecting', 'failed', 'idle'],
    ['connected', 'taken', 'executing'],
    ['executing', 'ended', 'connected'],
    ['connected', 'disconnect', 'disconnecting'],
    ['disconnecting', 'closed', 'idle'],
    ['connected', 'lost', 'idle'],
  ] as const)('from %s by %s to %s, as the protocol draws it', (state, event, to) => {
    expect(after(state, event)).toBe(to);
  });

  it('are never left by an event that means nothing in them', () => {
    for (const state of STATES)
      for (const event of EVENTS) {
        const to = after(state, event);
        expect(STATES).toContain(to);
        if (!(event in MOVES[state])) expect(to).toBe(state);
      }
  });

  it('run no command unless the companion has registered the tab since it was idle', () => {
    for (const [events, state] of walks(LONGEST)) {
      if (!isOpen(state)) continue;
      let [at, isRegistered]: [Connection, boolean] = ['idle', false];
      for (const event of events) {
        isRegistered = at === 'connecting' ? event === 'registered' : isRegistered && at !== 'idle';
        at = after(at, event);
      }
      expect(isRegistered, events.join()).toBe(true);
    }
  });

  it('are left by a user who disconnects, whatever went before', () => {
    for (const [, state] of walks(LONGEST - 1)) {
      const left = after(after(state, 'disconnect'), 'closed');
      expect(left).toBe('idle');
    }
  });

  it('can all be reached', () => {
    expect(new Set([...walks(4)].map(([, state]) => state))).toEqual(new Set(STATES));
  });
});

describe('the waits between attempts', () => {
  it('grow, and are never longer than 30 s', () => {
    const waits = Array.from({ length: 100 }, (_, failed) => retryDelay(failed));
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[0]).toBe(500);
    expect(waits.at(-1)).toBe(30_000);
  });
});
