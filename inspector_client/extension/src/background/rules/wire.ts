// The messages of the tab socket: what comes in, understood; what goes out is plain.
import { TABS } from '../../shared/contract';
import type { Failure } from '../../shared/messages';
import type { Ended } from './queue';

export type Incoming =
  | { type: 'registered' }
  | { type: 'ping' }
  | {
      type: 'command';
      id: string;
      command: string;
      params: Record<string, unknown>;
      timeoutMs?: number;
    }
  | { type: 'cancel'; id: string }
  | { type: 'error'; error: Failure }
  | { type: 'other' };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the companion said; `other` for what this version does not know. */
export function understood(data: unknown): Incoming {
  const message = parsed(data);
  if (!message) return { type: 'other' };
  const { type, id } = message;
  if (type === 'registered' || type === 'ping') return { type };
  if (type === 'error') return { type, error: failure(message.error) };
  if (typeof id !== 'string' || !id) return { type: 'other' };
  if (type === 'cancel') return { type, id };
  // Servers that leave out the type of a command mean one all the same.
  if (type !== 'command' || typeof message.command !== 'string') return { type: 'other' };
  const { command, params, timeoutMs } = message;
  const limit = typeof timeoutMs === 'number' && timeoutMs > 0 ? { timeoutMs } : {};
  return { type, id, command, params: isRecord(params) ? params : {}, ...limit };
}

function parsed(data: unknown): Record<string, unknown> | null {
  if (typeof data !== 'string') return null;
  try {
    const message: unknown = JSON.parse(data);
    return isRecord(message) ? message : null;
  } catch {
    return null;
  }
}

function failure(given: unknown): Failure {
  const { code, message } = isRecord(given) ? given : {};
  return { code: String(code ?? 'BAD_REQUEST'), message: String(message ?? 'it did not say why') };
}

const { closeCodes, limits } = TABS;
/** In UTF-8. */
const LONGEST_CHARACTER = 3;

/** The answer to a command; that it is too large, where the companion would end the connection for it. */
export function responseOf(id: string, how: Ended): object {
  const response = { id, type: 'response', ...how };
  const text = JSON.stringify(response);
  const isSmall = text.length * LONGEST_CHARACTER < limits.messageBytes;
  const size = isSmall ? 0 : new TextEncoder().encode(text).length;
  if (size < limits.messageBytes) return response;
  const message = `The result has ${size} bytes; ${limits.messageBytes} is the limit: ask for less.`;
  return {
    ...response,
    success: false,
    result: null,
    error: { code: 'RESULT_TOO_LARGE', message },
  };
}

/** Why there is no connection: by the code of a socket that closed, or 0 of one that never opened. */
export function problemOf(port: number, closed: number, said: Failure | null): Failure {
  const start = 'start your dev server or `pageside serve`';
  switch (closed) {
    case 0:
      return { code: 'NO_COMPANION', message: `No companion listens on port ${port}: ${start}.` };
    case closeCodes.tabIdInUse:
      return {
        code: 'TAB_ID_IN_USE',
        message: 'Another connection has this tab’s id. Connect again: the tab gets a new one.',
      };
    case closeCodes.tooMany:
      return {
        code: 'TOO_MANY',
        message: `The companion has ${TABS.limits.tabs} tabs already: disconnect some, then connect again.`,
      };
    case closeCodes.stopping:
      return { code: 'COMPANION_LOST', message: `The companion was stopped: ${start}.` };
    default:
      return said
        ? { code: said.code, message: `The companion ended the connection: ${said.message}` }
        : { code: 'COMPANION_LOST', message: 'The connection to the companion was lost.' };
  }
}

export const silentProblem = (port: number): Failure => ({
  code: 'NO_COMPANION',
  message: `What listens on port ${port} does not answer as a companion does: check the port.`,
});
