import type { AgentCall, BrakesState } from './protocol';

/** What the companion tells of agents: all of it when the page connects, then what is new. */
export type AgentNews =
  | { activity: AgentCall[]; brakes: BrakesState }
  | { entries: AgentCall[] }
  | BrakesState;

export interface Agents {
  tell(news: AgentNews): void;
  /** From now on `listener` is told, first of all what there was since the page connected. */
  follow(listener: (news: AgentNews) => void): void;
}

/** Keeps what is told of agents until the workbench is there to show it; `wake` has it come. */
export function createAgents(wake: () => void): Agents {
  let kept: AgentNews[] = [];
  let told = (news: AgentNews) => {
    const isAll = 'activity' in news;
    if (isAll) kept = [];
    kept.push(news);
    if (!isAll || news.brakes.paused || news.brakes.everywhere) wake();
  };
  return {
    tell: (news) => told(news),
    follow(listener) {
      told = listener;
      kept.forEach(listener);
    },
  };
}
