import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readJson } from './registry.ts';

/** Longer than any start takes; a lock older than this belongs to a recycled pid. */
const STALE_MS = 300_000;
/** A lock without content is being written just now, unless it is older than this. */
const UNREADABLE_STALE_MS = 2_000;

/** Takes the lock and answers how to release it; null while another living process holds it. */
export function takeLock(file: string): (() => void) | null {
  const content = JSON.stringify({ pid: process.pid, time: Date.now() });
  if (!create(file, content) && !(removeStale(file) && create(file, content))) return null;
  return () => {
    if (read(file) === content) rmSync(file, { force: true });
  };
}

function create(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function removeStale(file: string): boolean {
  const content = read(file);
  if (content === null) return true;
  if (!isStale(file)) return false;
  // Renaming lets exactly one of several processes take the stale lock away.
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
  const wasTheStaleOne = read(aside) === content;
  if (wasTheStaleOne) rmSync(aside, { force: true });
  else renameSync(aside, file);
  return wasTheStaleOne;
}

function isStale(file: string): boolean {
  const lock = readJson(file);
  if (typeof lock?.pid !== 'number' || typeof lock.time !== 'number') {
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - written > UNREADABLE_STALE_MS;
  }
  // Python writes seconds, JavaScript milliseconds.
  const time = lock.time < 1e11 ? lock.time * 1000 : lock.time;
  return !isAlive(lock.pid) || Date.now() - time > STALE_MS;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}
