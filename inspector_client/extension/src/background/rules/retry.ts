const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** How long to wait before a lost connection is tried again; `failed` attempts were made since. */
export const retryDelay = (failed: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** failed);
