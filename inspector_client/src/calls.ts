import { aborted, messageOf } from './basics';
import { isPassing } from './connection/post';
import { ToolError } from './failure';
import { type Call, type Failure, timing } from './protocol';

const REMEMBERED = 100;

export type Tool = (args: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>;
type Outcome = { result: unknown } | { error: Failure };

export interface Calls {
  run(call: Call): Promise<void>;
  cancel(id: string): void;
  /** Before a reconnect: the returned function cancels what runs and was not sent again since. */
  recheck(): () => void;
}

/** Runs page tools: each call id at most once, answered once, unless it was cancelled. */
export function createCalls(
  tools: Record<string, Tool>,
  answer: (body: { id: string } & Outcome) => Promise<unknown>,
  /** Those that are loaded with the first call of one. */
  more: () => Promise<Record<string, Tool>>,
  /** Why none can go on now, as far as the page knows; else ''. */
  hindrance: () => string = () => '',
): Calls {
  const running = new Map<string, AbortController>();
  let doubted = new Set<string>();
  /** null: cancelled, so there is nothing to answer. */
  const ended = new Map<string, Outcome | null>();

  function end(id: string, outcome: Outcome | null): void {
    running.delete(id);
    ended.set(id, outcome);
    for (const oldest of ended.keys()) if (ended.size > REMEMBERED) ended.delete(oldest);
  }
  function deliver(id: string, outcome: Outcome, delay: number = timing.retryMs): void {
    answer({ id, ...outcome }).catch((error: unknown) => {
      if (isPassing(error) && delay < timing.graceMs)
        setTimeout(deliver, delay, id, outcome, 2 * delay);
    });
  }
  async function toolOf(name: string): Promise<Tool> {
    const known = Object.hasOwn(tools, name) ? tools : await more();
    const tool = Object.hasOwn(known, name) && known[name];
    if (!tool) throw new ToolError('UNKNOWN_TOOL', `No page tool '${name}'.`);
    return tool;
  }
  async function execute({ tool, args, timeoutMs }: Call, by: AbortController): Promise<Outcome> {
    const limit = Math.min(timeoutMs, Number(args.timeoutMs ?? timeoutMs));
    const timer = setTimeout(() => {
      const late = `${tool} did not finish within ${limit} ms. ${hindrance()}`.trim();
      by.abort(new ToolError('COMMAND_TIMEOUT', late));
    }, limit);
    try {
      const work = toolOf(tool).then((run) => {
        by.signal.throwIfAborted();
        return run(args, by.signal);
      });
      return { result: await Promise.race([work, aborted(by.signal)]) };
    } catch (error) {
      // Not by its class: what is loaded later has a copy of it.
      const { code, data } = Object(error);
      const isOurs = typeof code === 'string';
      return { error: { code: isOurs ? code : 'INTERNAL_ERROR', message: messageOf(error), data } };
    } finally {
      clearTimeout(timer);
    }
  }

  function cancel(id: string): void {
    const by = running.get(id);
    if (!by) return;
    end(id, null);
    by.abort();
  }

  return {
    async run(call) {
      const { id } = call;
      doubted.delete(id);
      if (running.has(id)) return;
      let outcome = ended.get(id);
      if (outcome === undefined) {
        const by = new AbortController();
        running.set(id, by);
        outcome = await execute(call, by);
        if (!running.has(id)) return;
        end(id, outcome);
      }
      if (outcome) deliver(id, outcome);
    },
    cancel,
    recheck() {
      doubted = new Set(running.keys());
      return () => doubted.forEach(cancel);
    },
  };
}
