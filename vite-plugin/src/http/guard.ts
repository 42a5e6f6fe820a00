import type { IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { isLoopbackAddress, wasForwarded } from '../companion/peer.ts';
import { CHANNEL } from '../contract.ts';
import { type Refusal, tooLarge } from './errors.ts';

/** What the guard looks at; plain data, so that every rule can be tested without a server. */
export interface GuardedRequest {
  method: string;
  headers: IncomingHttpHeaders;
  /** Every Host header, and HTTP/2's `:authority`. */
  hosts: string[];
  secure: boolean;
  /** The address at the other end of the socket. */
  remoteAddress: string | undefined;
}

export type AllowedHosts = true | readonly string[];

/** Who may ask, as the developer configured it. */
export interface Access {
  allowedHosts: AllowedHosts;
  /** Whether requests that do not come from this machine are answered too. */
  lan: boolean;
}

const SCRIPT_DESTINATIONS = ['script', 'worker', 'sharedworker', 'serviceworker'];
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE'];

/** The first reason not to answer, or null. The checks are those of docs/protocol.md, "Plugin's proxy". */
export function findRefusal(request: GuardedRequest, access: Access): Refusal | null {
  return (
    checkHost(request, access) ??
    checkOrigin(request) ??
    checkFetchSite(request) ??
    checkMethod(request) ??
    checkBody(request)
  );
}

function checkHost({ hosts }: GuardedRequest, access: Access): Refusal | null {
  const [host, ...others] = new Set(hosts);
  if (host === undefined || others.length > 0) {
    return forbidden('The request must name exactly one Host.', 'Send one Host header.');
  }
  const name = hostName(host);
  if (name === null) {
    return forbidden(`The Host ${quote(host)} is malformed.`, 'Send the host name and the port.');
  }
  if (isAllowedHost(name, access)) return null;
  return forbidden(
    `The Host ${quote(name)} is not allowed.`,
    `Add ${quote(name)} to server.allowedHosts in vite.config if it is yours.`,
  );
}

/** The name in a Host header, without the port; null when malformed. */
export function hostName(host: string): string | null {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(host);
  const [, name, port] = match ?? [];
  if (name === undefined || Number(port ?? 0) > 65_535) return null;
  if (!name.startsWith('[')) return name.toLowerCase();
  return net.isIPv6(name.slice(1, -1)) ? name.toLowerCase() : null;
}

/** `allowedHosts: true` would let any website in that makes its own name lead here, so it allows no names. */
export function isAllowedHost(name: string, { allowedHosts, lan }: Access): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const address = name.replace(/^\[(.*)\]$/, '$1');
  if (net.isIP(address)) return allowedHosts !== true || lan || isLoopbackAddress(address);
  if (allowedHosts === true) return false;
  return allowedHosts.some(
    (entry) =>
      entry.toLowerCase() === name ||
      (entry.startsWith('.') && (entry.slice(1) === name || name.endsWith(entry))),
  );
}

/** Why a page there may not use the companion, or null: the queue is the developer's, not the network's. */
export function checkPeer(
  { headers, remoteAddress }: GuardedRequest,
  { lan }: Access,
): Refusal | null {
  if (lan) return null;
  const forwarded = wasForwarded(headers);
  if (!forwarded && isLoopbackAddress(remoteAddress ?? '')) return null;
  return forbidden(
    forwarded
      ? 'The request came through a proxy or a tunnel.'
      : `The request came from ${remoteAddress ?? 'an unknown address'}, not from a loopback address.`,
    'Open the app at its localhost address, or set pageside({ lan: true }) in vite.config (PAGESIDE_LAN=1): ' +
      'then everybody who reaches the dev server reads and writes the inspections.',
  );
}

function checkOrigin({ headers, hosts, secure }: GuardedRequest): Refusal | null {
  const { origin } = headers;
  if (origin === undefined) return null;
  const own = `${secure ? 'https' : 'http'}://${hosts[0]}`;
  if (origin.toLowerCase() === own.toLowerCase()) return null;
  // Behind a proxy that ends TLS the schemes differ; the browser itself has seen that the page is of this very origin.
  if (headers['sec-fetch-site'] === 'same-origin' && isOfHost(origin, hosts[0])) return null;
  return forbidden(
    `The Origin ${quote(origin)} is not this dev server's own, ${quote(own)}.`,
    'Call it from a page of this dev server.',
  );
}

function isOfHost(origin: string, host = ''): boolean {
  return /^https?:\/\/(.+)$/i.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase();
}

function checkFetchSite({ headers }: GuardedRequest): Refusal | null {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin') return null;
  const isScript = SCRIPT_DESTINATIONS.includes(String(headers['sec-fetch-dest']));
  if (site === 'none' && !isScript) return null;
  return forbidden(
    `The browser sends this for another site (Sec-Fetch-Site: ${site}).`,
    'Call it from a page of this dev server.',
  );
}

function checkMethod({ method }: GuardedRequest): Refusal | null {
  if (METHODS.includes(method)) return null;
  return {
    status: 405,
    code: 'BAD_REQUEST',
    message: `The method ${method} is not used here.`,
    fix: `Use one of ${METHODS.join(', ')}.`,
  };
}

function checkBody({ method, headers }: GuardedRequest): Refusal | null {
  if (Number(headers['content-length'] ?? 0) > CHANNEL.limits.bodyBytes) {
    return tooLarge(CHANNEL.limits.bodyBytes);
  }
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (method !== 'POST' || type === 'application/json') return null;
  return {
    status: 415,
    code: 'BAD_REQUEST',
    message: `A POST must be application/json, not ${quote(type ?? 'without a content type')}.`,
    fix: 'Send one JSON object with content type application/json.',
  };
}

function forbidden(message: string, fix: string): Refusal {
  return { status: 403, code: 'FORBIDDEN', message, fix };
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}
