import type { IncomingMessage } from 'node:http';
import { CHANNEL } from '../contract.ts';

/** The whole body, or null once it is over the limit. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > CHANNEL.limits.bodyBytes) {
        request.removeAllListeners('data');
        resolve(null);
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.on('error', reject);
  });
}
