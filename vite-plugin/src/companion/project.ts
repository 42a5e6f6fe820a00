import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { CHANNEL } from '../contract.ts';
import type { Environment } from '../options.ts';

export interface Project {
  root: string;
  id: string;
}

export function findProject(start: string, override: string | undefined): Project {
  const root = override ? existingFolder(override) : findProjectRoot(realpathSync(start));
  return { root, id: projectId(root) };
}

function existingFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  throw new Error(
    `Pageside: the project folder ${folder} does not exist. Correct PAGESIDE_PROJECT or the option project.`,
  );
}

/** Nearest folder upwards with `.git`, else with `package.json`, else the start; never the home folder of what lies in it. */
export function findProjectRoot(start: string, home: string = homedir()): string {
  const folders = ancestors(start, home);
  const holding = (name: string) => folders.find((folder) => existsSync(path.join(folder, name)));
  return holding('.git') ?? holding('package.json') ?? start;
}

function ancestors(start: string, home: string): string[] {
  const folders = [start];
  const belowHome = start.startsWith(home.endsWith(path.sep) ? home : home + path.sep);
  for (let folder = path.dirname(start); ; folder = path.dirname(folder)) {
    if (folder === folders.at(-1) || (belowHome && folder === home)) return folders;
    folders.push(folder);
  }
}

export function projectId(root: string): string {
  const posix = path.sep === '\\' ? root.replaceAll('\\', '/') : root;
  return createHash('sha256')
    .update(posix, 'utf8')
    .digest('hex')
    .slice(0, CHANNEL.registry.hashChars);
}

/** The folder that the companion keeps its registry in; the same rules as Python's platformdirs. */
export function stateFolder(override: string | undefined, env: Environment): string {
  if (override) return override;
  if (process.platform === 'win32') {
    const local = env.LOCALAPPDATA || path.join(homedir(), 'AppData', 'Local');
    return path.join(local, CHANNEL.service);
  }
  if (process.platform === 'darwin') {
    return path.join(homedir(), 'Library', 'Application Support', CHANNEL.service);
  }
  const state = env.XDG_STATE_HOME?.trim() || path.join(homedir(), '.local', 'state');
  return path.join(state, CHANNEL.service);
}
