// Builds the script and the style sheet of the web console, which the companion serves.
import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const TARGET = here('../../companion/pageside/web/static');

await build({
  root: here('.'),
  configFile: false,
  logLevel: 'warn',
  build: {
    outDir: TARGET,
    emptyOutDir: false,
    target: 'es2023',
    lib: { entry: here('src/console.entry.ts'), formats: ['es'], fileName: () => 'console.js' },
  },
});
await copyFile(here('src/console.css'), `${TARGET}/console.css`);
