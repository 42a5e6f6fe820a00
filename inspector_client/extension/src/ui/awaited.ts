import type { Command, Outcome, TabState } from '../shared/messages';

export interface Awaited {
  /** The user has asked for a command; `known` is what had been done before. */
  begin(command: Command, known: Outcome[]): void;
  /** What came of it: its outcome, 'lost' when none can come any more, null as long as it is waited for. */
  settle(state: TabState): Outcome | 'lost' | null;
  readonly isWaiting: boolean;
}

/** Finds the outcome of the user's own command among all of the tab. */
export function createAwaited(): Awaited {
  let waiting: { command: Command; known: Set<string> } | null = null;
  const isOurs = ({ by, command, id }: Outcome) =>
    by === 'user' && command === waiting?.command && !waiting.known.has(id);
  return {
    get isWaiting() {
      return waiting !== null;
    },
    begin(command, known) {
      waiting = { command, known: new Set(known.map(({ id }) => id)) };
    },
    settle({ outcomes, running, queued, connection }) {
      if (!waiting) return null;
      const outcome = outcomes.findLast(isOurs);
      const isOver = connection === 'idle' && !running && !queued;
      if (!outcome && !isOver) return null;
      waiting = null;
      return outcome ?? 'lost';
    },
  };
}
