import type { SourceLocation } from '../protocol';

/** Hot reloading names a forwardRef's function `_c3`, and some have no name: then the call site's tag says more. */
export const NAMELESS = /^(_c\d*|Anonymous)?$/;

/** A file's name without folder and extension: what a component is called that has no name of its own. */
export function stemOf(file: string): string | undefined {
  return /([^/\\]+)\.\w+$/.exec(file)?.[1];
}

/** Which of an element's places `located` tells: 0 is its own, n the call site of its n-th owner. */
export function placeIndex({ file, line, column, stack }: SourceLocation): number {
  const isIt = (entry: { file: string; line: number; column: number }) =>
    entry.file === file && entry.line === line && entry.column === column;
  return file ? stack.findIndex(isIt) + 1 : 0;
}
