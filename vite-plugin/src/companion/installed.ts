import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Environment, Settings } from '../options.ts';
import { VERSION } from '../version.ts';
import type { Command } from './commands.ts';

const windows = process.platform === 'win32';

/** The first program of that name on PATH that is nobody's by accident: none beside the code, none of npm's. */
export function findOnPath(
  name: string,
  env: Environment,
  besides: readonly string[],
): string | undefined {
  const avoided = besides.map((folder) => path.resolve(folder));
  const endings = programEndings(env.PATHEXT, windows);
  return (env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !avoided.includes(path.resolve(folder)))
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find((file) => isProgram(file) && !isOfNpm(file));
}

/** What a program's file may end with. A batch file would need a shell, and neither pipx nor uv makes one. */
export function programEndings(pathExt: string | undefined, isWindows: boolean): string[] {
  if (!isWindows) return [''];
  const endings = (pathExt ?? '.COM;.EXE').toLowerCase().split(';');
  return endings.filter((ending) => ending === '.com' || ending === '.exe');
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** `npm run` puts the folder of each dependency's programs before all others. */
function isOfNpm(file: string): boolean {
  return [file, realpathSync(file)].some((each) => each.split(path.sep).includes('node_modules'));
}

interface Asking {
  settings: Settings;
  /** Told, for the developer, when it is of another version. */
  onPassedOver: (message: string) => void;
}

/** Undefined for one of the plugin's own version; else why it is not taken: it may speak otherwise than the plugin. */
export async function whyPassedOver(
  { program }: Command,
  { settings, onPassedOver }: Asking,
  signal: AbortSignal,
): Promise<string | undefined> {
  const told = await versionOf(program, settings.companion.startTimeoutMs, signal);
  if (told === VERSION) return undefined;
  if (!/^\d+(\.\w+)+$/.test(told)) return `does not tell its version: ${told}`;
  onPassedOver(
    `Pageside: ${program} is ${told}, and this plugin ${VERSION}: the companion is started in another way, which ` +
      `may download it. \`pipx install --force pageside==${VERSION}\` or \`uv tool install pageside==${VERSION}\` ` +
      'brings both to one version.',
  );
  return `is ${told}, not ${VERSION}`;
}

/** What the program says that its version is, or why it says none. */
function versionOf(program: string, limitMs: number, signal: AbortSignal): Promise<string> {
  const options = { timeout: limitMs, killSignal: 'SIGKILL', signal, windowsHide: true } as const;
  return new Promise((resolve) => {
    execFile(program, ['version'], options, (error, output) => {
      const why = error?.killed ? `no answer within ${limitMs / 1000} s` : error?.message;
      resolve((why ?? output).trim().split('\n').at(-1)?.slice(0, 300) ?? '');
    });
  });
}
