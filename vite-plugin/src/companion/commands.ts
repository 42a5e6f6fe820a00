import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Environment, Settings } from '../options.ts';
import { VERSION } from '../version.ts';
import { findOnPath } from './installed.ts';

/** One way to start a companion, before `serve` and its arguments. */
export interface Command {
  program: string;
  args: string[];
  /** May download first, and then takes longer. */
  downloads: boolean;
  /** Whoever installed it chose its version: it is taken only if that is the plugin's own. */
  isInstalled?: boolean;
}

export interface Places {
  project: string;
  viteRoot: string;
}

const windows = process.platform === 'win32';

/** The commands that may start a companion, best first; each is tried by running it. */
export function candidateCommands(
  settings: Settings,
  { project, viteRoot }: Places,
  env: Environment,
): Command[] {
  const environments = [viteRoot, project].flatMap((folder) => [
    path.join(folder, '.venv'),
    path.join(folder, 'venv'),
  ]);
  const pythons = [env.VIRTUAL_ENV || undefined, ...environments]
    .filter((folder) => folder !== undefined)
    .map((folder) => path.join(folder, windows ? 'Scripts/python.exe' : 'bin/python'))
    .filter((python) => existsSync(python));
  const besides = [process.cwd(), viteRoot, project, ...pythons.map(path.dirname)];
  const installed = findOnPath('pageside', env, besides);

  return [
    ...configured(settings.companion.command),
    ...[...new Set(pythons)].map((python) => command(python, '-m', 'pageside')),
    ...(installed === undefined ? [] : [{ ...command(installed), isInstalled: true }]),
    { ...command('uvx', `pageside@${VERSION}`), downloads: true },
    { ...command('pipx', 'run', '--spec', `pageside==${VERSION}`, 'pageside'), downloads: true },
    command(windows ? 'py' : 'python3', '-m', 'pageside'),
  ];
}

function configured(argv: string[] | undefined): Command[] {
  const [program, ...args] = argv ?? [];
  return program === undefined ? [] : [command(program, ...args)];
}

function command(program: string, ...args: string[]): Command {
  return { program, args, downloads: false };
}

export function commandText({ program, args }: Command): string {
  return [program, ...args].join(' ');
}
