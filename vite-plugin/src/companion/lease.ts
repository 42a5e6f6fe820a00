import { CHANNEL } from '../contract.ts';
import { ask } from '../report/ask.ts';
import { CompanionError } from './companion.ts';
import type { Companion } from './registry.ts';

/** The companion writes every 5 s; a stream that is silent for longer is dead. */
const SILENCE_MS = 20_000;

export interface LeaseInfo {
  root: string;
  urls: string[];
  pid: number;
  vite: string;
  /** The id of a lease that this one goes on with: the companion then sees one dev server, not two. */
  renews?: string | undefined;
}

/** A held lease: it lasts as long as its socket. */
export interface Lease {
  id: string;
  ended: Promise<void>;
  end(): void;
}

/** Asks the companion for a lease; resolves when it is granted. */
export function openLease(companion: Companion, info: LeaseInfo): Promise<Lease> {
  const body = JSON.stringify(info);
  return new Promise((resolve, reject) => {
    const request = ask(companion, CHANNEL.routes.lease, body);
    const ended = new Promise<void>((resolveEnded) => request.once('close', resolveEnded));
    request.setTimeout(SILENCE_MS, () => request.destroy(new Error('the lease fell silent')));
    request.once('error', reject);
    request.once('response', (response) => {
      response.once('data', (line: Buffer) =>
        resolve({ id: leaseId(line), ended, end: () => request.destroy() }),
      );
      response.on('error', reject);
      response.once('close', () => reject(new Error('the companion closed the lease')));
      if (response.statusCode !== 200) request.destroy(refused(response.statusCode));
      response.resume();
    });
    request.end(body);
  });
}

/** The companion writes its first line in one piece. */
function leaseId(line: Buffer): string {
  const { lease } = JSON.parse(line.toString()) as { lease: unknown };
  return String(lease);
}

function refused(status: number | undefined): Error {
  const message = `the companion refused the lease with ${status}`;
  if (status !== 401) return new Error(message);
  return new CompanionError(
    `Pageside is off: ${message}, so the plugin's token is not the companion's. ` +
      'Correct PAGESIDE_PLUGIN_TOKEN, or remove it to use the registry. The app works as before.',
  );
}
