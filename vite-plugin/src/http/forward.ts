import http, {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { pipeline, Transform } from 'node:stream';
import type { Companion } from '../companion/registry.ts';
import { CHANNEL } from '../contract.ts';
import { refuse, refuseAbsent, tooLarge } from './errors.ts';

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const KEPT_BACK = [...HOP_BY_HOP, 'host', 'cookie', 'origin', 'referer', 'authorization', 'expect'];

/** The headers of a page that the companion may see. */
export function forwardedHeaders(headers: IncomingHttpHeaders): http.OutgoingHttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        !KEPT_BACK.includes(name) &&
        !/^(:|sec-fetch-|x-pageside-|x-forwarded-|forwarded$)/.test(name),
    ),
  );
}

export interface ForwardTarget {
  companion: Companion;
  path: string;
  headers: http.OutgoingHttpHeaders;
}

/** Sends the request on to the companion and pipes the answer back; each side's end ends the other. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { companion, path, headers }: ForwardTarget,
): void {
  const upstream = http.request({
    host: companion.host,
    port: companion.port,
    method: request.method,
    path,
    agent: false,
    headers: { ...headers, host: `127.0.0.1:${companion.port}` },
  });
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answerHeaders(answer.headers));
    response.flushHeaders();
    pipeline(answer, response, (error) => {
      if (error) response.destroy();
    });
  });
  upstream.on('error', () => {
    if (!response.destroyed && !response.writableEnded) {
      refuseAbsent(response);
    }
  });
  response.on('close', () => upstream.destroy());
  sendBody(request, upstream, () => {
    upstream.destroy();
    refuseBody(request, response);
  });
}

/** Pipes the body on, and never holds more of it than one chunk. */
function sendBody(
  request: IncomingMessage,
  upstream: http.ClientRequest,
  onTooLarge: (error: Error) => void,
): void {
  const limit = CHANNEL.limits.bodyBytes;
  let size = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) done(new Error(`more than ${limit} bytes`));
      else done(null, chunk);
    },
  });
  counter.once('error', onTooLarge);
  request.pipe(counter).pipe(upstream);
}

/** Refuses a body that turned out too long, letting the rest of it run into nothing. */
export function refuseBody(request: IncomingMessage, response: ServerResponse): void {
  request.unpipe();
  request.resume();
  refuse(response, tooLarge(CHANNEL.limits.bodyBytes));
}

function answerHeaders(headers: IncomingHttpHeaders): http.OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
}
