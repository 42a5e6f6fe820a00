import type { IncomingHttpHeaders } from 'node:http';
import net from 'node:net';

/** What reverse proxies and tunnels add to the requests that they pass on. */
const FORWARDING = /^(?:x-forwarded-.*|cf-.*|forwarded|via|x-real-ip)$/;

/** Whether somebody in between passed the request on, so that the socket's peer is not who asks. */
export function wasForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => FORWARDING.test(name));
}

/** Whether an address names this very machine: 127.0.0.0/8 or ::1, also where IPv6 carries IPv4. */
export function isLoopbackAddress(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  return plain === '::1' || (net.isIPv4(plain) && plain.startsWith('127.'));
}

/** Whether a Host's name, as `hostName` gives it, is one that an agent of this machine would use. */
export function isOwnName(name: string | null): boolean {
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]';
}
