// What an app imports as `vite-plugin-pageside/page`. The dev server gives its pages another one in its place.

/** A function of the app that agents may call. */
export interface PageTool {
  /** Letters, digits, `_`, `.` and `-`; begins with a letter; at most 64. */
  name: string;
  /** What it does, for the agent; at most 1,000 characters. */
  description: string;
  /** JSON Schema (2020-12) of its arguments, an object of at most 8 KB. Without it any are taken. */
  inputSchema?: object;
  /** Its result is the agent's answer; it may be a promise. `signal` ends with the agent's call. */
  // biome-ignore lint/suspicious/noExplicitAny: the app knows what its schema lets through.
  handler(args: any, call: { signal: AbortSignal }): unknown;
  /** It changes nothing. */
  readOnly?: boolean;
}

/**
 * Offers a function of the app to agents, while the dev server runs; returns what takes it back.
 * In a build it does nothing, and a bundler leaves it out.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function registerTool(_tool: PageTool): () => void {
  return () => undefined;
}
