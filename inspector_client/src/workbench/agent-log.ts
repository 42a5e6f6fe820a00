import type { Agents } from '../agents';
import { createSignal, createState, type Signal, type State } from '../basics';
import type { AgentCall, BrakesState } from '../protocol';

const KEPT = 200;

/** What agents did and do in this page, and what the user holds back, live. */
export interface AgentLog {
  /** In the order in which they began. */
  calls(): AgentCall[];
  readonly changed: Signal<[]>;
  readonly brakes: State<BrakesState>;
}

export const isHeld = ({ paused, everywhere }: BrakesState) => paused || everywhere;
export const isRunning = ({ outcome }: AgentCall) => !outcome;

export function createAgentLog(agents: Agents): AgentLog {
  const byId = new Map<number, AgentCall>();
  const changed = createSignal();
  const brakes = createState<BrakesState>({ paused: false, everywhere: false, policy: {} });

  function take(entries: AgentCall[]): void {
    for (const call of entries) byId.set(call.id, call);
    for (const oldest of [...byId.keys()].sort((a, b) => a - b).slice(0, -KEPT))
      byId.delete(oldest);
    changed.emit();
  }
  agents.follow((news) => {
    if ('entries' in news) take(news.entries);
    else if ('activity' in news) {
      byId.clear();
      take(news.activity);
      brakes.set(news.brakes);
    } else brakes.set(news);
  });
  return {
    calls: () => [...byId.values()].sort((a, b) => a.id - b.id),
    changed,
    brakes,
  };
}
