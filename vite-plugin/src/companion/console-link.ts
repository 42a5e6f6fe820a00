import type { IncomingMessage } from 'node:http';
import { CHANNEL } from '../contract.ts';
import { ask } from '../report/ask.ts';
import { asRecord, type Companion } from './registry.ts';

const LIMIT_MS = 2_000;

/** A link that opens the web console once, within ten minutes; null when the companion has none to give. */
export function askConsoleLink(companion: Companion): Promise<string | null> {
  return new Promise((resolve) => {
    const request = ask(companion, CHANNEL.routes.consoleLink, '{}');
    request.setTimeout(LIMIT_MS, () => request.destroy());
    request.once('error', () => resolve(null));
    request.once(
      'response',
      (response) => void linkIn(response).then(resolve, () => resolve(null)),
    );
    request.end('{}');
  });
}

async function linkIn(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  if (response.statusCode !== 200) return null;
  const url = asRecord(JSON.parse(Buffer.concat(chunks).toString('utf8')))?.url;
  return typeof url === 'string' ? url : null;
}
