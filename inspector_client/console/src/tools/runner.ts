import type { Progress } from '@modelcontextprotocol/client';
import { createState, type State } from '../../../src/basics';
import type { Connection } from '../mcp/connection';
import { type Outcome, ofError, ofResult } from '../response/outcome';
import type { Args } from './check';

export type Running = { tool: string; startedAt: number; progress?: Progress } | undefined;

/** One call at a time. */
export interface Runner {
  readonly running: State<Running>;
  run(tool: string, args: Args): Promise<void>;
  cancel(): void;
}

export function createRunner(
  connection: Connection,
  ended: (outcome: Outcome, args: Args) => void,
): Runner {
  const running = createState<Running>(undefined);
  let abort: AbortController | undefined;

  return {
    running,
    cancel: () => abort?.abort(),
    async run(tool, args) {
      if (abort) return;
      const own = new AbortController();
      abort = own;
      const at = Date.now();
      const startedAt = performance.now();
      running.set({ tool, startedAt });
      const told = await connection
        .call(tool, args, {
          signal: own.signal,
          progress: (progress) => running.set({ tool, startedAt, progress }),
        })
        .then(ofResult, (error) =>
          own.signal.aborted ? ({ kind: 'cancelled' } as const) : ofError(error),
        );
      abort = undefined;
      running.set(undefined);
      ended({ tool, at, tookMs: performance.now() - startedAt, ...told }, args);
    },
  };
}
