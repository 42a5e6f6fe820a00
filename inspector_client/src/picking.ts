import { createState, type State } from './basics';
import { ToolError } from './failure';
import type { Pick } from './picker';
import type { Box, TextQuote } from './protocol';

export type Mode = 'element' | 'area';

export interface AgentAsk {
  mode: Mode;
  agent: string;
  ticket?: string;
  reason?: string;
}

/** Who has the pointer: nobody, the user (picking, then writing his note), or an agent's request. */
export type Turn =
  | { who: 'nobody' }
  | { who: 'user'; mode: Mode; writing: boolean }
  | ({ who: 'agent' } & AgentAsk);

export interface PickedText {
  mode: 'text';
  /** The one around the text. */
  element: Element;
  box: Box;
  quote: TextQuote;
}

export type Picked =
  | { mode: 'element'; element: Element }
  | { mode: 'elements'; elements: Element[] }
  | PickedText
  | { mode: 'area'; bounds: Box };

export interface Picking {
  readonly turn: State<Turn>;
  /** The crosshair for the user's own note; asking again cancels. */
  forUser(mode: Mode): void;
  /** The user goes on with the note that a reload cut short. */
  resume(): void;
  forAgent(ask: AgentAsk, signal: AbortSignal): Promise<Picked>;
  cancel(): void;
}

interface PickingParts {
  /** How many agents wait for their turn. */
  waiting: State<number>;
  pick: Pick;
  /** The user writes his note on what he picked (null: before a reload); true: he goes on to the next. */
  note(picked: Picked | null): Promise<boolean>;
  /** A request ended while the user was pointing for it. */
  withdrawn(): void;
  /** A turn begins. */
  announce(ask: AgentAsk | { mode: Mode }): void;
}

/** One crosshair for all: the user first, then the agents in the order they asked. */
export function createPicking(parts: PickingParts): Picking {
  const { note, announce, waiting, withdrawn } = parts;
  const turn = createState<Turn>({ who: 'nobody' });
  const queue: (() => void)[] = [];
  let current = new AbortController();

  function pick(mode: Mode, sole: boolean, signals: AbortSignal[]): Promise<Picked | null> {
    current = new AbortController();
    return parts.pick(mode, sole, AbortSignal.any([current.signal, ...signals]));
  }
  function next(): void {
    turn.set({ who: 'nobody' });
    queue.shift()?.();
    waiting.set(queue.length);
  }
  async function userTurn(mode: Mode): Promise<void> {
    turn.set({ who: 'user', mode, writing: false });
    announce({ mode });
    const picked = await pick(mode, false, []);
    if (picked && (await write(picked))) await userTurn(mode);
  }
  function write(picked: Picked | null): Promise<boolean> {
    turn.set({ who: 'user', mode: 'element', writing: true });
    return note(picked);
  }
  /** Resolves when the turn is free for this request, or when it is withdrawn before. */
  function untilFree(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      queue.push(resolve);
      waiting.set(queue.length);
      signal.addEventListener('abort', () => {
        const place = queue.indexOf(resolve);
        if (place >= 0) queue.splice(place, 1);
        waiting.set(queue.length);
        resolve();
      });
    });
  }

  return {
    turn,
    forUser(mode) {
      const { value } = turn;
      if (value.who === 'nobody') void userTurn(mode).finally(next);
      else if (value.who === 'user' && !value.writing) current.abort();
    },
    resume: () =>
      void write(null)
        .then((goOn) => (goOn ? userTurn('element') : undefined))
        .finally(next),
    async forAgent(ask, signal) {
      while (turn.value.who !== 'nobody' && !signal.aborted) await untilFree(signal);
      signal.throwIfAborted();
      turn.set({ who: 'agent', ...ask });
      announce(ask);
      const picked = await pick(ask.mode, true, [signal]).finally(next);
      if (signal.aborted) withdrawn();
      signal.throwIfAborted();
      if (!picked) throw new ToolError('CANCELLED_BY_USER', 'The user cancelled.');
      return picked;
    },
    cancel: () => current.abort(),
  };
}
