import type { Failure } from '../../shared/messages';

/** What a command, or a connection, came to instead of a result. */
export class CommandError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** What is told of anything that was thrown. */
export function failureOf(error: unknown): Failure & { data?: Record<string, unknown> } {
  if (error instanceof CommandError) {
    const { code, message, data } = error;
    return { code, message, ...(data ? { data } : {}) };
  }
  return {
    code: 'EXECUTION_ERROR',
    message: error instanceof Error ? error.message : String(error),
  };
}
