import { readFileSync, statSync } from 'node:fs';
import { readShape, type Shape } from './shape.ts';

const KEPT = 2_000;
/** A larger file is a bundle rather than a source. */
const MAX_BYTES = 2_000_000;

/** Reads the shapes of source files, and keeps them until the files change. */
export function createShapes(): (file: string) => Shape | null {
  const kept = new Map<string, { version: string; shape: Shape }>();
  return (file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > MAX_BYTES) return null;
    const version = `${stat.mtimeMs}:${stat.size}`;
    const known = kept.get(file);
    if (known?.version === version) return known.shape;
    const shape = readShape(readFileSync(file, 'utf8'), file);
    if (kept.size >= KEPT) kept.clear();
    kept.set(file, { version, shape });
    return shape;
  };
}
