import type { ServerResponse } from 'node:http';
import { type ErrorCode, FIXES } from '../contract.ts';

/** Why a request gets no answer, in the form that every part of Pageside uses. */
export interface Refusal {
  status: number;
  code: ErrorCode;
  message: string;
  fix: string;
}

export function refuse(
  response: ServerResponse,
  { status, code, message, fix }: Refusal,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendJson(response, status, { error: { code, message, fix } }, headers);
}

/** A companion that is only starting is worth another try, another project's is not. */
export function refuseAbsent(response: ServerResponse, refusal: Refusal = noCompanion): void {
  refuse(response, refusal, refusal.status === 503 ? { 'retry-after': '1' } : {});
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(JSON.stringify(body));
}

export const notFound = (path: string): Refusal => ({
  status: 404,
  code: 'NOT_FOUND',
  message: `There is nothing at ${path}.`,
  fix: 'Check the path.',
});

export const tooLarge = (limit: number): Refusal => ({
  status: 413,
  code: 'TOO_LARGE',
  message: `The body is over the limit of ${limit} bytes.`,
  fix: 'Send less than the limit named in the message.',
});

export const noCompanion: Refusal = {
  status: 503,
  code: 'PAGE_NOT_CONNECTED',
  message: 'The companion of this project is not running, or is starting just now.',
  fix: "Try again in a second; if it stays away, read the dev server's terminal or run `pageside serve`.",
};

export const wrongProject: Refusal = {
  status: 409,
  code: 'WRONG_PROJECT',
  message:
    "The companion that this dev server was told to use serves another project than the dev server's.",
  fix: FIXES.WRONG_PROJECT,
};
