/** An error of a call, by a code of the contract; the companion adds what to do. */
export class ToolError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}
