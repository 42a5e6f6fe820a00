import { isRecord } from '../basics';
import type { routes } from '../protocol';
import type { Endpoints } from './endpoints';

const POST_WITHIN_MS = 10_000;

/** A refusal by the dev server or the companion; status 0 when neither answered. */
export class PostError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fix = '',
  ) {
    super(message);
  }

  /** Worth another try as it is. */
  get passing(): boolean {
    return this.status === 0 || this.status >= 500 || this.status === 429;
  }
}

export type Post = (
  route: keyof typeof routes,
  body: unknown,
  options?: { keepalive?: boolean },
) => Promise<unknown>;

export function createPost(endpoints: Endpoints): Post {
  // Kept now, because the page may replace fetch later.
  const send = fetch.bind(globalThis);

  async function failure(response: Response): Promise<PostError> {
    const body: unknown = await response.json().catch(() => null);
    const error = isRecord(body) && isRecord(body.error) ? body.error : {};
    return new PostError(
      response.status,
      String(error.code ?? 'INTERNAL_ERROR'),
      String(error.message ?? `The dev server answered ${response.status}.`),
      String(error.fix ?? ''),
    );
  }

  return async (route, body, options = {}) => {
    let response: Response;
    try {
      response = await send(endpoints.at(route), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        cache: 'no-store',
        credentials: 'same-origin',
        signal: options.keepalive ? null : AbortSignal.timeout(POST_WITHIN_MS),
        keepalive: options.keepalive ?? false,
      });
    } catch {
      throw new PostError(0, 'PAGE_NOT_CONNECTED', 'The dev server does not answer.');
    }
    if (!response.ok) throw await failure(response);
    return response.status === 204 ? null : response.json();
  };
}
