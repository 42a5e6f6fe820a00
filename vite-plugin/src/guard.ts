import type { IncomingHttpHeaders } from 'node:http';
import net from 'node:net';
import { CHANNEL } from './contract.ts';
import { type Refusal, tooLarge } from './errors.ts';

/** What the guard looks at; plain data, so that every rule can be tested without a server. */
export interface GuardedRequest {
  method: string;
  headers: IncomingHttpHeaders;
  /** Every Host header, and HTTP/2's `:authority`. */
  hosts: string[];
  secure: boolean;
}

export type AllowedHosts = true | readonly string[];

const SCRIPT_DESTINATIONS = ['script', 'worker', 'sharedworker', 'serviceworker'];
const METHODS = ['GET', 'HEAD', 'POST', 'DELETE'];

/** The first reason not to answer, or null. The checks are those of docs/protocol.md, "Plugin's proxy". */
export function findRefusal(request: GuardedRequest, allowed: AllowedHosts): Refusal | null {
  return (
    checkHost(request, allowed) ??
    checkOrigin(request) ??
    checkFetchSite(request) ??
    checkMethod(request) ??
    checkBody(request)
  );
}

function checkHost({ hosts }: GuardedRequest, allowed: AllowedHosts): Refusal | null {
  const [host, ...others] = new Set(hosts);
  if (host === undefined || others.length > 0) {
    return forbidden('The request must name exactly one Host.', 'Send one Host header.');
  }
  const name = hostName(host);
  if (name === null) {
    return forbidden(`The Host ${quote(host)} is malformed.`, 'Send the host name and the port.');
  }
  if (isAllowedHost(name, allowed)) return null;
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

export function isAllowedHost(name: string, allowed: AllowedHosts): boolean {
  if (allowed === true || name.startsWith('[') || net.isIPv4(name)) return true;
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return allowed.some(
    (entry) =>
      entry.toLowerCase() === name ||
      (entry.startsWith('.') && (entry.slice(1) === name || name.endsWith(entry))),
  );
}

function checkOrigin({ headers, hosts, secure }: GuardedRequest): Refusal | null {
  const { origin } = headers;
  if (origin === undefined) return null;
  const own = `${secure ? 'https' : 'http'}://${hosts[0]}`;
  if (origin.toLowerCase() === own.toLowerCase()) return null;
  return forbidden(
    `The Origin ${quote(origin)} is not this dev server's own, ${quote(own)}.`,
    'Call it from a page of this dev server.',
  );
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
