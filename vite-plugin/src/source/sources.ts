import { readFileSync, realpathSync } from 'node:fs';
import { keptFiles } from './kept.ts';
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
  return keptFiles(KEPT, readSource);
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
