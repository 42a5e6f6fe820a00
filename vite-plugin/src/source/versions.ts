import { createHash } from 'node:crypto';

/** How many earlier texts of one file can still be told from each other. */
const KEPT_PER_FILE = 10;

/**
 * The source texts that compilers got. A page may go on with an older one: plugins for Vue and Svelte do not send a
 * component again when it only moved within its file.
 */
export interface Versions {
  /** Keeps a text; its version is what `versionOf` says. */
  keep(file: string, text: string): string;
  textOf(version: string): string | undefined;
}

export function createVersions(): Versions {
  const texts = new Map<string, string>();
  const perFile = new Map<string, string[]>();
  return {
    keep(file, text) {
      const version = versionOf(text);
      const others = (perFile.get(file) ?? []).filter((other) => other !== version);
      for (const oldest of others.splice(0, others.length - KEPT_PER_FILE + 1))
        texts.delete(oldest);
      perFile.set(file, [...others, version]);
      texts.set(version, text);
      return version;
    },
    textOf: (version) => texts.get(version),
  };
}

/** One for all dev servers of this process: a version belongs to its text, not to a server. */
export const versions = createVersions();

/** 13 digits, as a time in milliseconds has: what compares served code takes it for the time that Vite puts into URLs. */
export function versionOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  return String(Number.parseInt(hash.slice(0, 10), 16)).padStart(13, '0');
}

/** The line (1-based) of the new text that an old text's line has become; null where that is not certain. */
export function lineNow(
  old: readonly string[],
  now: readonly string[],
  line: number,
): number | null {
  const index = line - 1;
  const shift = now.length - old.length;
  if (sameUpTo(old, now, index)) return line;
  if (sameFrom(old, now, index, shift)) return line + shift;
  return byItsSurroundings(old, now, index);
}

function sameUpTo(old: readonly string[], now: readonly string[], index: number): boolean {
  return old.slice(0, index + 1).every((text, at) => text === now[at]);
}

function sameFrom(
  old: readonly string[],
  now: readonly string[],
  index: number,
  shift: number,
): boolean {
  return (
    index + shift >= 0 && old.slice(index).every((text, at) => text === now[index + shift + at])
  );
}

/** Between two changes: the line with as many of its neighbours as it takes to stand only once. */
function byItsSurroundings(
  old: readonly string[],
  now: readonly string[],
  index: number,
): number | null {
  for (let around = 0; around < old.length; around += 1) {
    const from = Math.max(0, index - around);
    const block = old.slice(from, index + around + 1);
    const found = occurrences(now, block);
    const [first] = found;
    if (first === undefined) return null;
    if (found.length === 1 && occurrences(old, block).length === 1) return first + index - from + 1;
  }
  return null;
}

function occurrences(lines: readonly string[], block: readonly string[]): number[] {
  const starts = lines.keys();
  return [...starts].filter((start) => block.every((text, at) => text === lines[start + at]));
}
