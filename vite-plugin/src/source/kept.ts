import { statSync } from 'node:fs';

/** Keeps what was read from each of the latest `limit` files until that file changes; null for what is no file. */
export function keptFiles<T>(
  limit: number,
  read: (file: string) => T,
  maxBytes = Number.POSITIVE_INFINITY,
): (file: string) => T | null {
  const kept = new Map<string, { version: string; value: T }>();
  return (file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > maxBytes) return null;
    const version = `${stat.mtimeMs}:${stat.size}`;
    const known = kept.get(file);
    const value = known?.version === version ? known.value : read(file);
    kept.delete(file);
    kept.set(file, { version, value });
    for (const oldest of kept.keys()) {
      if (kept.size <= limit) break;
      kept.delete(oldest);
    }
    return value;
  };
}
