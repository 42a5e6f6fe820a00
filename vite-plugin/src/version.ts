import { readFileSync } from 'node:fs';

/** The plugin's own version; the companion of the same version speaks its protocol. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version;
