import { messageOf } from './basics';
import { createBackoff } from './connection/backoff';
import { PostError } from './connection/post';
import { ToolError } from './failure';
import type { Call, Failure } from './protocol';
import { limits } from './protocol';

const REMEMBERED = 100;
const ANSWER_TRIES = 5;

export type Tool = (args: Record<string, unknown>, context: ToolContext) => Promise<unknown>;
export interface ToolContext {
  signal: AbortSignal;
  timeoutMs: number;
}

type Outcome = { result: unknown } | { error: Failure };

export interface Calls {
  run(call: Call): void;
  cancel(id: string): void;
}

/** Runs page tools: each call id at most once, answered once, unless it was cancelled. */
export function createCalls(
  tools: Record<string, Tool>,
  answer: (body: { id: string } & Outcome) => Promise<unknown>,
): Calls {
  const running = new Map<string, AbortController>();
  /** null: cancelled, so there is nothing to answer. */
  const ended = new Map<string, Outcome | null>();

  function remember(id: string, outcome: Outcome | null): void {
    ended.set(id, outcome);
    const [oldest] = ended.keys();
    if (ended.size > REMEMBERED && oldest !== undefined) ended.delete(oldest);
  }
  async function deliver(id: string, outcome: Outcome): Promise<void> {
    const backoff = createBackoff();
    for (let tries = 1; ; tries += 1) {
      try {
        await answer({ id, ...outcome });
        return;
      } catch (error) {
        const passing = !(error instanceof PostError) || error.passing;
        if (!passing || tries === ANSWER_TRIES) return;
        await new Promise((resolve) => setTimeout(resolve, backoff.next()));
      }
    }
  }
  async function execute(call: Call, signal: AbortSignal): Promise<Outcome> {
    const tool = Object.hasOwn(tools, call.tool) ? tools[call.tool] : undefined;
    if (!tool) return { error: { code: 'UNKNOWN_TOOL', message: `No page tool '${call.tool}'.` } };
    try {
      const context = { signal, timeoutMs: call.timeoutMs };
      return fitting({
        result: (await withinTime(tool(call.args, context), call, signal)) ?? null,
      });
    } catch (error) {
      return { error: failureOf(error) };
    }
  }
  async function begin(call: Call): Promise<void> {
    const controller = new AbortController();
    running.set(call.id, controller);
    const outcome = await execute(call, controller.signal);
    if (!running.delete(call.id)) return;
    controller.abort();
    remember(call.id, outcome);
    await deliver(call.id, outcome);
  }

  return {
    run(call) {
      const before = ended.get(call.id);
      if (before) void deliver(call.id, before);
      else if (before === undefined && !running.has(call.id)) void begin(call);
    },
    cancel(id) {
      const controller = running.get(id);
      if (!controller) return;
      running.delete(id);
      remember(id, null);
      controller.abort(new ToolError('CANCELLED', 'The call was withdrawn.'));
    },
  };
}

function withinTime(work: Promise<unknown>, call: Call, signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () =>
        reject(
          new ToolError(
            'COMMAND_TIMEOUT',
            `${call.tool} did not finish within ${call.timeoutMs} ms.`,
          ),
        ),
      call.timeoutMs,
    );
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function fitting(outcome: Outcome): Outcome {
  const size = JSON.stringify(outcome).length;
  if (size < limits.bodyBytes / 2) return outcome;
  const message = `The result has ${size} characters, more than fit into one message.`;
  return { error: { code: 'RESULT_TOO_LARGE', message } };
}

function failureOf(error: unknown): Failure {
  if (error instanceof ToolError) {
    const { code, message, data } = error;
    return data === undefined ? { code, message } : { code, message, data };
  }
  return { code: 'INTERNAL_ERROR', message: messageOf(error) };
}
