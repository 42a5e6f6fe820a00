import { messageOf } from '../basics';
import type { BrakesChange, BrakesState } from '../protocol';
import { routes } from '../protocol';
import type { WorkbenchParts } from '../workbench';
import { type AgentLog, isHeld } from './agent-log';

/** What the user does with the brakes; what is refused is said. */
export interface Brakes {
  /** One change after the other, so that the last one holds; done when it is in force or was refused. */
  set(change: BrakesChange): Promise<void>;
  /** Pauses agents in this page, or lets them go on there and everywhere. */
  toggle(): void;
  /** Ends what runs in this page, and pauses it. */
  stop(): void;
}

export function createBrakes(
  { brakes }: AgentLog,
  { send: post, toasts }: Pick<WorkbenchParts, 'send' | 'toasts'>,
): Brakes {
  let turn = Promise.resolve();

  async function send(change: BrakesChange): Promise<void> {
    try {
      brakes.set((await post(routes.brakes, change)) as BrakesState);
    } catch (error) {
      toasts.show(messageOf(error));
      // What was chosen is not so: it is drawn as it is.
      brakes.set({ ...brakes.value });
    }
  }
  function set(change: BrakesChange): Promise<void> {
    turn = turn.then(() => send(change));
    return turn;
  }
  return {
    set,
    toggle() {
      const { everywhere } = brakes.value;
      if (!isHeld(brakes.value)) void set({ paused: true });
      else void set(everywhere ? { paused: false, everywhere: false } : { paused: false });
    },
    // It waits for nothing.
    stop: () => void send({ stop: true }),
  };
}
