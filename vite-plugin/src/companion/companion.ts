import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment, Settings } from '../options.ts';
import { VERSION } from '../version.ts';
import { describeFailure, startChild } from './child.ts';
import { type Command, candidateCommands, type Places } from './commands.ts';
import { whyPassedOver } from './installed.ts';
import { takeLock } from './lock.ts';
import {
  type Companion,
  checkHealth,
  findRegistered,
  type RegistryFiles,
  readJson,
  readRecord,
  registryFiles,
  removeDeadRecord,
} from './registry.ts';

/** The registry is a file of another process, so it is polled while a companion comes up. */
const POLL_MS = 60;
const DOWNLOAD_FACTOR = 6;

export interface Companions {
  /** The companion that runs already, or null. */
  find(): Promise<Companion | null>;
  /** The running companion, started if need be; rejects with a CompanionError. */
  ensure(signal: AbortSignal): Promise<Companion>;
}

/** No companion could be had; the message is meant for the developer. */
export class CompanionError extends Error {
  override name = 'CompanionError';
}

/** The named companion is another project's. */
export class WrongProjectError extends CompanionError {
  override name = 'WrongProjectError';
}

export interface CompanionContext extends Places {
  projectId: string;
  settings: Settings;
  files: RegistryFiles;
  env: Environment;
  /** Told once, for the developer: an installed companion that is passed over. */
  onPassedOver: (message: string) => void;
}

export function createCompanions(context: CompanionContext): Companions {
  const { url } = context.settings.companion;
  return url === undefined ? localCompanions(context) : namedCompanion(context, url);
}

/** A companion that somebody else runs: only looked for, never started. */
function namedCompanion(context: CompanionContext, url: string): Companions {
  const { settings, files, projectId } = context;
  const { hostname, port } = parseAddress(url);
  const find = async () => {
    const health = await checkHealth(hostname, port);
    if (!health) return null;
    if (health.projectId !== undefined && health.projectId !== projectId) {
      throw wrongProjectError(context, url, health.projectId);
    }
    const record = readRecord(files.record);
    const pageToken = settings.tokens.page ?? record?.pageToken;
    const pluginToken = settings.tokens.plugin ?? record?.pluginToken;
    if (!pageToken || !pluginToken) {
      throw new CompanionError(
        `Pageside: the companion at ${url} runs, but its tokens are unknown. ` +
          'Set PAGESIDE_PAGE_TOKEN and PAGESIDE_PLUGIN_TOKEN, or share its state folder (PAGESIDE_STATE_DIR).',
      );
    }
    return {
      host: hostname,
      port,
      pid: health.pid,
      version: health.version,
      pageToken,
      pluginToken,
      agentToken: record?.agentToken,
    };
  };
  const ensure = async () => {
    const companion = await find();
    if (companion) return companion;
    throw new CompanionError(
      `Pageside: no companion answers at ${url}. Start it with \`pageside serve\` and name the address that it ` +
        'prints (the port may differ per run), or remove the option companion.url (PAGESIDE_URL) to have one ' +
        'started. The app works as before.',
    );
  };
  return { find, ensure };
}

function wrongProjectError({ project, files }: CompanionContext, url: string, otherId: string) {
  const state = path.dirname(files.folder);
  const other = readJson(registryFiles(state, otherId).record)?.project;
  return new WrongProjectError(
    `Pageside is off: the companion at ${url} serves ${other ?? `another project (${otherId})`}, this dev server ` +
      `${project}. Remove companion.url (PAGESIDE_URL) to have one started for this project, or name one that ` +
      `\`pageside serve --project ${project}\` starts; the port may differ per run. The app works as before.`,
  );
}

function parseAddress(text: string): { hostname: string; port: number } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'http:') {
    throw new CompanionError(
      `Pageside: companion.url (PAGESIDE_URL) is ${JSON.stringify(text)}; it must look like http://127.0.0.1:6137.`,
    );
  }
  return { hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 80) };
}

function localCompanions(given: CompanionContext): Companions {
  let isTold = false;
  const context: CompanionContext = {
    ...given,
    onPassedOver(message) {
      if (!isTold) given.onPassedOver(message);
      isTold = true;
    },
  };
  const { files } = context;
  const find = () => findRegistered(files.record);
  const ensure = async (signal: AbortSignal): Promise<Companion> => {
    const running = await find();
    if (running) return running;
    mkdirSync(files.folder, { recursive: true, mode: 0o700 });
    const release = await waitForLock(files.lock, find, signal);
    if (typeof release !== 'function') return release;
    try {
      const started = await find();
      if (started) return started;
      await removeDeadRecord(files.record);
      return await startFirst(context, find, signal);
    } finally {
      release();
    }
  };
  return { find, ensure };
}

/** The lock, or the companion that its holder has started in the meantime. */
async function waitForLock(
  lock: string,
  find: Companions['find'],
  signal: AbortSignal,
): Promise<(() => void) | Companion> {
  for (;;) {
    const release = takeLock(lock);
    if (release) return release;
    await delay(POLL_MS, undefined, { signal });
    const companion = await find();
    if (companion) return companion;
  }
}

async function startFirst(
  context: CompanionContext,
  find: Companions['find'],
  signal: AbortSignal,
): Promise<Companion> {
  const failures: string[] = [];
  for (const command of candidateCommands(context.settings, context, context.env)) {
    const unfit = command.isInstalled && (await whyPassedOver(command, context, signal));
    signal.throwIfAborted();
    const result = unfit || (await start(command, context, find, signal));
    if (typeof result !== 'string') return result;
    failures.push(describeFailure(command, result));
  }
  throw new CompanionError(
    [
      'Pageside is off: its companion could not be started. The app works as before. Tried:',
      ...failures.map((failure) => `  ${failure}`),
      `Install it with \`pipx install pageside==${VERSION}\` or \`uv tool install pageside==${VERSION}\`, or with pip ` +
        'in the virtual environment of the project, then restart the dev server, with that environment active.',
    ].join('\n'),
  );
}

/** Runs one command until the companion answers; a text says why it did not. */
async function start(
  command: Command,
  { settings, project, files }: CompanionContext,
  find: Companions['find'],
  signal: AbortSignal,
): Promise<Companion | string> {
  const { idleSeconds, startTimeoutMs } = settings.companion;
  const args = ['serve', '--project', project, '--exit-when-idle', String(idleSeconds)];
  if (settings.stateDir) args.push('--state-dir', settings.stateDir);
  const limitMs = startTimeoutMs * (command.downloads ? DOWNLOAD_FACTOR : 1);
  const child = startChild(command, args, project, files.log);
  const deadline = Date.now() + limitMs;
  let ended: string | undefined;
  child.ended.then((reason) => {
    ended = reason;
  });
  while (Date.now() < deadline && !signal.aborted) {
    const companion = await find();
    if (companion) {
      child.release();
      return companion;
    }
    if (ended !== undefined) return ended;
    await Promise.race([child.ended, delay(POLL_MS)]);
  }
  await child.kill();
  signal.throwIfAborted();
  return `did not answer within ${limitMs / 1000} s and was ended`;
}
