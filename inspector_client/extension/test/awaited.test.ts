import { expect, it } from 'vitest';
import { createAwaited } from '../src/ui/awaited';
import { anOutcome, aState } from './state';

const CLICK = 'kapturemcp_click';
const running = { command: CLICK, by: 'user' } as const;

it('finds the outcome of the user’s own command, not an agent’s nor an older one', () => {
  const awaited = createAwaited();
  const before = anOutcome('before');
  awaited.begin(CLICK, [before]);
  const agents = anOutcome('agents', { by: 'agent' });
  expect(
    awaited.settle(aState({ connection: 'executing', running, outcomes: [agents, before] })),
  ).toBe(null);
  const own = anOutcome('own');
  expect(awaited.settle(aState({ connection: 'connected', outcomes: [own, agents, before] }))).toBe(
    own,
  );
  expect(awaited.isWaiting).toBe(false);
});

it('stops waiting when the connection is lost', () => {
  const awaited = createAwaited();
  awaited.begin(CLICK, []);
  awaited.settle(aState({ connection: 'executing', running }));
  expect(awaited.settle(aState({ connection: 'idle' }))).toBe('lost');
});
