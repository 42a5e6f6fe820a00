import { createState, type State } from './basics';
import { ToolError } from './failure';
import type { Pick } from './picker';
import type { Box } from './protocol';

export type Mode = 'element' | 'area';

export interface AgentAsk {
  mode: Mode;
  ticket?: string;
  agent: string;
  reason?: string;
}

/** Who has the pointer: nobody, the user (picking, then writing his note), or an agent's request. */
export type Turn =
  | { who: 'nobody' }
  | { who: 'user'; mode: Mode; writing: boolean }
  | { who: 'agent'; ask: AgentAsk };

export type Picked = { mode: 'element'; element: Element } | { mode: 'area'; bounds: Box };

export interface Picking {
  readonly turn: State<Turn>;
  /** How many agents wait for their turn. */
  readonly waiting: State<number>;
  /** The crosshair for the user's own note; pressing it again cancels. */
  forUser(mode: Mode): void;
  forAgent(ask: AgentAsk, signal: AbortSignal): Promise<Picked>;
  cancel(): void;
}

interface PickingParts {
  element: Pick<Element>;
  area: Pick<Box>;
  /** The user writes his note on what he picked; resolves when it is saved or dropped. */
  note(picked: Picked): Promise<void>;
  /** An agent's turn begins. */
  announce(ask: AgentAsk | { mode: Mode }): void;
}

/** One crosshair for all: the user first, then the agents in the order they asked. */
export function createPicking({ element, area, note, announce }: PickingParts): Picking {
  const turn = createState<Turn>({ who: 'nobody' });
  const waiting = createState(0);
  const queue: (() => void)[] = [];
  let current: AbortController | null = null;

  async function pick(mode: Mode, signal: AbortSignal): Promise<Picked | null> {
    if (mode === 'area') {
      const bounds = await area(signal);
      return bounds && { mode, bounds };
    }
    const picked = await element(signal);
    return picked && { mode, element: picked };
  }
  function next(): void {
    current = null;
    turn.set({ who: 'nobody' });
    queue.shift()?.();
    waiting.set(queue.length);
  }
  async function userTurn(mode: Mode): Promise<void> {
    current = new AbortController();
    turn.set({ who: 'user', mode, writing: false });
    announce({ mode });
    try {
      const picked = await pick(mode, current.signal);
      if (!picked) return;
      turn.set({ who: 'user', mode, writing: true });
      await note(picked);
    } finally {
      next();
    }
  }
  /** Resolves when it is this request's turn; rejects when it is withdrawn before. */
  function myTurn(signal: AbortSignal): Promise<void> {
    if (turn.value.who === 'nobody') return Promise.resolve();
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', withdraw);
        resolve();
      };
      const withdraw = () => {
        queue.splice(queue.indexOf(begin), 1);
        waiting.set(queue.length);
        reject(signal.reason);
      };
      queue.push(begin);
      waiting.set(queue.length);
      signal.addEventListener('abort', withdraw, { once: true });
    });
  }
  async function agentTurn(ask: AgentAsk, signal: AbortSignal): Promise<Picked> {
    const turnEnd = new AbortController();
    current = turnEnd;
    turn.set({ who: 'agent', ask });
    announce(ask);
    try {
      const picked = await pick(ask.mode, AbortSignal.any([signal, turnEnd.signal]));
      signal.throwIfAborted();
      if (!picked) throw new ToolError('CANCELLED_BY_USER', 'The user cancelled the pick.');
      return picked;
    } finally {
      next();
    }
  }

  return {
    turn,
    waiting,
    forUser(mode) {
      const { value } = turn;
      if (value.who === 'nobody') void userTurn(mode);
      else if (value.who === 'user' && !value.writing) current?.abort();
    },
    async forAgent(ask, signal) {
      signal.throwIfAborted();
      await myTurn(signal);
      return agentTurn(ask, signal);
    },
    cancel: () => current?.abort(),
  };
}
