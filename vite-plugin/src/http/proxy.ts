import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOwnName, wasForwarded } from '../companion/peer.ts';
import type { Companion } from '../companion/registry.ts';
import { CHANNEL } from '../contract.ts';
import { SCRIPTS } from './assets.ts';
import { notFound, type Refusal, refuse, refuseAbsent } from './errors.ts';
import { forward, forwardedHeaders } from './forward.ts';
import { type Access, checkPeer, findRefusal, type GuardedRequest, hostName } from './guard.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ProxyContext {
  base: string;
  access: Access;
  projectId: string;
  companion: () => Companion | null;
  /** A page of this origin uses the channel: the guard let it in. */
  reached: (origin: string) => void;
  /** What to answer while there is no companion. */
  absence: () => Refusal;
  /** What the plugin answers by itself: path below the prefix → handler. */
  own: Readonly<Record<string, Handler>>;
}

type Next = (error?: unknown) => void;

/** Answers Pageside's paths on the dev server, and leaves all others to Vite. */
export function createProxy(context: ProxyContext) {
  return (request: IncomingMessage, response: ServerResponse, next: Next): void => {
    const target = pagesidePath(request.url ?? '', context.base);
    if (target === null) {
      next();
      return;
    }
    const refusal = refusalOf(target, guarded(request), context.access);
    if (refusal) {
      // The body of a refused request is not wanted, but has to go somewhere.
      request.resume();
      refuse(response, refusal);
      return;
    }
    route(target, request, response, context);
  };
}

function refusalOf(target: string, request: GuardedRequest, access: Access): Refusal | null {
  return (
    findRefusal(request, access) ?? (isOpen(pathOf(target)) ? null : checkPeer(request, access))
  );
}

/** What every peer may ask for: the client, which holds nothing private, `health`, and MCP, where an agent shows its token. */
function isOpen(path: string): boolean {
  const open = [...SCRIPTS, CHANNEL.routes.health];
  return path.startsWith(CHANNEL.mcp) || open.some((route) => path === CHANNEL.prefix + route);
}

function pathOf(target: string): string {
  return target.split('?')[0] ?? target;
}

/** The path without the base and with the query, if it is one of Pageside's. */
function pagesidePath(url: string, base: string): string | null {
  const stripped = base !== '/' && url.startsWith(base) ? `/${url.slice(base.length)}` : url;
  const isOurs = [CHANNEL.prefix, CHANNEL.mcp].some(
    (prefix) => stripped.startsWith(prefix) && /^$|^[/?]/.test(stripped.slice(prefix.length)),
  );
  return isOurs ? stripped : null;
}

function guarded(request: IncomingMessage): GuardedRequest {
  const hosts = request.rawHeaders.filter(
    (_, index, raw) => index % 2 === 1 && /^(host|:authority)$/i.test(raw[index - 1] ?? ''),
  );
  return {
    method: request.method ?? '',
    headers: request.headers,
    hosts,
    secure: 'encrypted' in request.socket && request.socket.encrypted === true,
    remoteAddress: request.socket.remoteAddress,
  };
}

function route(
  target: string,
  request: IncomingMessage,
  response: ServerResponse,
  context: ProxyContext,
): void {
  const path = pathOf(target);
  const own = context.own[path.slice(CHANNEL.prefix.length)];
  if (own && path.startsWith(CHANNEL.prefix)) {
    own(request, response);
    return;
  }
  const agent = isAgentPath(path);
  if (!agent && !isPagePath(path)) {
    refuse(response, notFound(path));
    return;
  }
  const { origin } = request.headers;
  if (!agent && origin) context.reached(origin);
  const companion = context.companion();
  if (!companion) {
    request.resume();
    refuseAbsent(response, context.absence());
    return;
  }
  const headers = agent
    ? agentHeaders(request, companion)
    : pageHeaders(request, companion, context.projectId);
  forward(request, response, { companion, path: target, headers });
}

/** No others: whoever may reach the MCP endpoint must not reach what lies beside it, `..` or not. */
function isAgentPath(path: string): boolean {
  return path.startsWith(CHANNEL.mcp) && /^(\/[a-z-]+)?$/.test(path.slice(CHANNEL.mcp.length));
}

function isPagePath(path: string): boolean {
  const below = path.startsWith(CHANNEL.prefix) ? path.slice(CHANNEL.prefix.length) : '';
  return below === CHANNEL.routes.health || /^\/page\/[a-z]+$/.test(below);
}

function pageHeaders(request: IncomingMessage, companion: Companion, projectId: string) {
  return {
    ...forwardedHeaders(request.headers),
    [CHANNEL.headers.pageToken]: companion.pageToken,
    [CHANNEL.headers.project]: projectId,
  };
}

function agentHeaders(request: IncomingMessage, companion: Companion) {
  const { headers, socket } = request;
  const { authorization } = headers;
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  const peer = [remoteAddress, remotePort, localAddress, localPort].join('|');
  return {
    ...forwardedHeaders(headers),
    ...(authorization === undefined ? {} : { authorization }),
    [CHANNEL.headers.pluginToken]: companion.pluginToken,
    ...(mayBeAgent(guarded(request)) ? { [CHANNEL.headers.agentPeer]: peer } : {}),
  };
}

/** Whether the socket's peer may be the agent itself; the far end of a tunnel has its own user's socket here too. */
function mayBeAgent({ headers, hosts }: GuardedRequest): boolean {
  // Not Sec-Fetch-Mode: Node's fetch sends that too.
  const fromBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  return !fromBrowser && !wasForwarded(headers) && isOwnName(hostName(hosts[0] ?? ''));
}
