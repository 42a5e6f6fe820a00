import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'vite';
import { readBody } from '../http/body.ts';
import { type Refusal, refuse, sendJson } from '../http/errors.ts';
import { refuseBody } from '../http/forward.ts';
import type { Handler } from '../http/proxy.ts';
import { badRequest, parseObject } from './places.ts';

export type Fields = Record<string, unknown>;
export type Answer = { answer: object } | { refusal: Refusal };

/** A route that takes one JSON object; what it throws is logged, and answered with `failure`. */
export function createJsonRoute(
  logger: Logger,
  failure: string,
  answer: (fields: Fields) => Promise<Answer>,
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
  answer: (fields: Fields) => Promise<Answer>,
): Promise<void> {
  const body = request.method === 'POST' ? await readBody(request) : '';
  if (body === null) {
    refuseBody(request, response);
    return;
  }
  const fields = parseObject(body);
  const outcome = fields ? await answer(fields) : { refusal: badRequest('POST one JSON object.') };
  if ('refusal' in outcome) refuse(response, outcome.refusal);
  else sendJson(response, 200, outcome.answer);
}
