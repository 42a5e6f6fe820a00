import type { IncomingMessage } from 'node:http';
import { CHANNEL } from '../contract.ts';
import { ask } from '../report/ask.ts';
import { asRecord, type Companion } from './registry.ts';

const LIMIT_MS = 2_000;

export interface ConsoleLink {
  /** Opens the web console once, within ten minutes. */
  url: string;
  /** Why tabs of the browser extension cannot connect, and what to do; empty if they can. */
  tabs: string;
}

/** What the user gets to the companion by; null when it has no link to give. */
export function askConsoleLink(companion: Companion): Promise<ConsoleLink | null> {
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

async function linkIn(response: IncomingMessage): Promise<ConsoleLink | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  if (response.statusCode !== 200) return null;
  const answer = asRecord(JSON.parse(Buffer.concat(chunks).toString('utf8')));
  if (typeof answer?.url !== 'string') return null;
  return { url: answer.url, tabs: typeof answer.tabs === 'string' ? answer.tabs : '' };
}
