import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { type Command, commandText } from './commands.ts';
import { hasCode, isAlive } from './lock.ts';

const TERMINATE_LIMIT_MS = 2_000;

/** A companion process that is coming up; `ended` says why it is gone, and never rejects. */
export interface Child {
  ended: Promise<string>;
  /** Lets the child outlive this process. */
  release(): void;
  /** Ends the child and what it started. */
  kill(): Promise<void>;
}

/** Starts a command detached, so that it outlives the dev server, with its output in a file. */
export function startChild(command: Command, args: string[], cwd: string, log: string): Child {
  const output = openSync(log, 'w', 0o600);
  const child = spawn(command.program, [...command.args, ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', output, output],
    windowsHide: true,
  });
  closeSync(output);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(hasCode(error, 'ENOENT') ? 'not found' : error.message));
    child.once('exit', (code, signal) => resolve(lastLine(log) ?? `ended with ${code ?? signal}`));
  });
  // One that nobody waits for any more would hold on until it is idle.
  const endWithProcess = () => isRunning(child) && signalGroup(child.pid, 'SIGTERM');
  const keep = () => process.off('exit', endWithProcess);
  process.once('exit', endWithProcess);
  ended.then(keep);
  return {
    ended,
    release() {
      keep();
      child.unref();
    },
    kill: () => endGroup(child, ended),
  };
}

function isRunning(child: ChildProcess): child is ChildProcess & { pid: number } {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function endGroup(child: ChildProcess, ended: Promise<string>): Promise<void> {
  if (!isRunning(child)) return;
  const { pid } = child;
  signalGroup(pid, 'SIGTERM');
  const limit = setTimeout(() => isAlive(pid) && signalGroup(pid, 'SIGKILL'), TERMINATE_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/** The last thing that the child said; its log may be gone when a released child ends later. */
function lastLine(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8').trim();
  return text.split('\n').at(-1)?.slice(0, 300) || undefined;
}

export function describeFailure(command: Command, reason: string): string {
  return `${commandText(command)}: ${reason}`;
}
