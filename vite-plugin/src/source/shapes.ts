import { readFileSync } from 'node:fs';
import { keptFiles } from './kept.ts';
import { readShape, type Shape } from './shape.ts';

const KEPT = 2_000;
/** A larger file is a bundle rather than a source. */
const MAX_BYTES = 2_000_000;

/** Reads the shapes of source files, and keeps them until the files change. */
export function createShapes(): (file: string) => Shape | null {
  return keptFiles(KEPT, (file) => readShape(readFileSync(file, 'utf8'), file), MAX_BYTES);
}
