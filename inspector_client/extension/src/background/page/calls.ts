// Chrome's commands to one tab: each ends in time, and at once when the tab cannot answer any more.
import { CommandError } from '../rules/failure';
import { promised } from '../rules/promised';

export interface How {
  /** Of a frame with a process of its own; else the tab. */
  session?: string;
  limitMs?: number;
}

export type Call = <T = object>(method: string, params?: object, how?: How) => Promise<T>;
export type Send = (method: string, params: object, session?: string) => Promise<unknown>;

/** Chrome refused a command. */
export class Refused extends Error {}

const LIMIT_MS = 15_000;

export interface Calls {
  call: Call;
  /** The same, given up at the signal. */
  until(signal: AbortSignal): Call;
  /** Ends the open ones, and refuses others, but for those that `isAllowed`. */
  refuse(why: CommandError, isAllowed: (method: string) => boolean): void;
  accept(): void;
}

export function createCalls(send: Send): Calls {
  const open = new Map<object, { method: string; end: (why: unknown) => void }>();
  let refusal: { why: CommandError; isAllowed: (method: string) => boolean } | null = null;

  async function call(
    method: string,
    params: object = {},
    { session, limitMs = LIMIT_MS }: How = {},
    signal?: AbortSignal,
  ): Promise<unknown> {
    signal?.throwIfAborted();
    if (refusal && !refusal.isAllowed(method)) throw refusal.why;
    const key = {};
    const { promise, reject } = promised<never>();
    open.set(key, { method, end: reject });
    const timer = setTimeout(() => reject(late(method, limitMs)), limitMs);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort);
    try {
      return await Promise.race([send(method, params, session), promise]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      open.delete(key);
    }
  }
  return {
    call: call as Call,
    until: (signal) => ((method, params, how) => call(method, params, how, signal)) as Call,
    refuse(why, isAllowed) {
      refusal = { why, isAllowed };
      for (const { method, end } of open.values()) if (!isAllowed(method)) end(why);
    },
    accept() {
      refusal = null;
    },
  };
}

/** The page is what does not answer, so it is the command that takes too long. */
const late = (method: string, ms: number) =>
  new CommandError(
    'COMMAND_TIMEOUT',
    `The page did not answer within ${ms / 1000} s (${method}): it is busy, or paused in a debugger.`,
  );

/** True if Chrome refused because the document was replaced meanwhile. */
export const isGone = (error: unknown): boolean =>
  error instanceof Refused &&
  /^(Cannot find context|Could(n't| not) find object|Cannot find object|uniqueContextId not found|No node with given id|Execution context was destroyed)|navigated or closed|Session with given id not found/.test(
    error.message,
  );
