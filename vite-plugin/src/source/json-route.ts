import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'vite';
import { readBody } from '../http/body.ts';
import { type Refusal, refuse, sendJson } from '../http/errors.ts';
import { refuseBody } from '../http/forward.ts';
import type { Handler } from '../http/proxy.ts';
import { badRequest, parseObject } from './places.ts';

export type Fields = Record<string, unknown>;
export type Answer = { answer: object } | { refusal: Refusal };

/** A route that takes one JSON object. */
export function createJsonRoute(
  logger: Logger,
  failure: string,
  answer: (fields: Fields) => Promise<Answer>,
): Handler {
  return createBodyRoute(logger, failure, async (body) => {
    const fields = parseObject(body);
    return fields ? answer(fields) : { refusal: badRequest('POST one JSON object.') };
  });
}

/** A route that takes what was posted; what it throws is logged, and answered with `failure`. */
export function createBodyRoute(
  logger: Logger,
  failure: string,
  answer: (body: string) => Promise<Answer>,
): Handler {
  return (request, response) => {
    handle(request, response, answer).catch((error: unknown) => {
      logger.error(`Pageside: ${failure} ${error}`);
      refuse(response, {
        status: 500,
        code: 'INTERNAL_ERROR',
        message: failure,
        fix: "The dev server's terminal has the details.",
      });
    });
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (body: string) => Promise<Answer>,
): Promise<void> {
  const body = request.method === 'POST' ? await readBody(request) : '';
  if (body === null) {
    refuseBody(request, response);
    return;
  }
  const outcome = await answer(body);
  if ('refusal' in outcome) refuse(response, outcome.refusal);
  else sendJson(response, 200, outcome.answer);
}
