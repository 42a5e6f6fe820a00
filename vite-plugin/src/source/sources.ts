import { readFileSync, realpathSync, statSync } from 'node:fs';
import { parseSource, type SyntaxNode } from './lexical.ts';
import { versionOf } from './versions.ts';

/** A source file as it is on disk now. */
export interface Source {
  lines: string[];
  version: () => string;
  /** Null when the file cannot be parsed. */
  program: () => SyntaxNode | null;
}

const KEPT = 50;

/** Reads source files, and keeps the latest ones until they change. */
export function createSources(): (file: string) => Source | null {
  const kept = new Map<string, { version: string; source: Source }>();
  return (file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile()) return null;
    const version = `${stat.mtimeMs}:${stat.size}`;
    const known = kept.get(file);
    kept.delete(file);
    const source = known?.version === version ? known.source : readSource(file);
    kept.set(file, { version, source });
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
    return source;
  };
}

function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8');
  let program: SyntaxNode | null | undefined;
  let version: string | undefined;
  return {
    lines: linesOf(text),
    version: () => {
      version ??= versionOf(text);
      return version;
    },
    program: () => {
      program ??= parseSource(text, file);
      return program;
    },
  };
}

export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

/** The real path of a file, or null when there is none. */
export function realPath(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}
