// The states of a tab's connection, and what leads from one to another.
import type { Connection } from '../../shared/messages';

export const EVENTS = [
  'connect',
  'registered',
  'failed',
  'taken',
  'ended',
  'disconnect',
  'closed',
  'lost',
] as const;
export type Event = (typeof EVENTS)[number];

export const MOVES: Record<Connection, Partial<Record<Event, Connection>>> = {
  idle: { connect: 'connecting' },
  connecting: {
    registered: 'connected',
    failed: 'idle',
    lost: 'idle',
    disconnect: 'disconnecting',
  },
  connected: { taken: 'executing', disconnect: 'disconnecting', lost: 'idle' },
  executing: { ended: 'connected', disconnect: 'disconnecting', lost: 'idle' },
  disconnecting: { closed: 'idle', lost: 'idle' },
};

/** The state after an event; the same one where the event means nothing. */
export const after = (state: Connection, event: Event): Connection => MOVES[state][event] ?? state;

/** True while the companion knows the tab. */
export const isOpen = (state: Connection): boolean =>
  state === 'connected' || state === 'executing';
