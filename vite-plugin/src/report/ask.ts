import http from 'node:http';
import type { Companion } from '../companion/registry.ts';
import { CHANNEL } from '../contract.ts';

/** A POST of the plugin's own to one of the companion's routes, not yet sent: `end` it with the same body. */
export function ask(companion: Companion, route: string, body: string): http.ClientRequest {
  return http.request({
    host: companion.host,
    port: companion.port,
    path: CHANNEL.prefix + route,
    method: 'POST',
    agent: false,
    headers: {
      host: `127.0.0.1:${companion.port}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      [CHANNEL.headers.pluginToken]: companion.pluginToken,
    },
  });
}
