import { explained, isRecord } from '../basics';
import type { Failure } from '../protocol';
import type { Endpoints } from './endpoints';

const POST_WITHIN_MS = 10_000;

/** A refusal by the dev server or the companion; status 0 when neither answered. */
export class PostError extends Error {
  constructor(
    readonly status: number,
    readonly failure: Failure,
  ) {
    super(explained(failure));
  }
}

/** Worth another try as it is. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof PostError && error.status >= 400 && error.status < 500);
}

export type Post = (route: string, body: unknown, keepalive?: boolean) => Promise<unknown>;

export function createPost(endpoints: Endpoints): Post {
  // Kept now, because the page may replace fetch later.
  const send = fetch.bind(globalThis);

  return async (route, body, keepalive = false) => {
    const response = await send(endpoints.at(route), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      keepalive,
      signal: AbortSignal.timeout(POST_WITHIN_MS),
    });
    const answer: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) return answer;
    const failure = isRecord(answer) && isRecord(answer.error) ? answer.error : {};
    throw new PostError(response.status, failure as unknown as Failure);
  };
}
