import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { OutgoingHttpHeaders } from 'node:http';
import { hasCode } from '../companion/lock.ts';
import { CHANNEL } from '../contract.ts';
import { refuse } from './errors.ts';
import type { Handler } from './proxy.ts';

export const CLIENT_FOLDER = new URL('../../client/', import.meta.url);

/** The routes of the client's built files, which are called like these. */
export const SCRIPTS = Object.values(CHANNEL.routes).filter((route) => route.endsWith('.js'));

/** Serves each of them at its route. */
export function createAssets(extraHeaders?: OutgoingHttpHeaders): Record<string, Handler> {
  return Object.fromEntries(
    SCRIPTS.map((route) => [route, createAsset(route.slice(1), extraHeaders)]),
  );
}

/** Serves one built file of the inspector client, which lies beside the plugin's code. */
export function createAsset(
  name: string,
  extraHeaders: OutgoingHttpHeaders = {},
  folder: URL = CLIENT_FOLDER,
): Handler {
  const file = new URL(name, folder);
  return (request, response) => {
    const content = read(file);
    if (content === null) {
      refuse(response, {
        status: 404,
        code: 'NOT_FOUND',
        message: `${name} is missing from this installation of vite-plugin-pageside.`,
        fix: 'Install vite-plugin-pageside again; in its repository, run `npm run build`.',
      });
      return;
    }
    const etag = `"${createHash('sha256').update(content).digest('hex').slice(0, 20)}"`;
    const headers = {
      ...extraHeaders,
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      etag,
    };
    if (request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(200, { ...headers, 'content-length': content.length });
    response.end(request.method === 'HEAD' ? undefined : content);
  };
}

function read(file: URL): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
