// Builds the script and the style sheet of the web console, which the companion serves.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { minify } from 'terser';
import { build } from 'vite';

const BUDGET_GZIP_BYTES = 250 * 1024;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const TARGET = here('../../companion/pageside/web/static');
const CONTRACT = here('../../companion/pageside/contract');
/** In the order in which they hold. */
const STYLES = ['base', 'frame', 'overview', 'controls', 'tools', 'answer', 'history', 'screens'];
const LICENSES =
  '/*! With CodeMirror and Lezer (MIT), Model Context Protocol client (Apache-2.0), zod (MIT) */\n';

/** Which tools belong together: those whose definitions stand in one file, `<name>_tools.json`. */
async function toolsets() {
  const files = (await readdir(CONTRACT)).filter((name) => name.endsWith('tools.json')).sort();
  const entries = files.map(async (file) => {
    const tools = JSON.parse(await readFile(`${CONTRACT}/${file}`, 'utf8'));
    return [file.replace(/_?tools\.json$/, '') || 'inspections', tools.map(({ name }) => name)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

await build({
  root: here('.'),
  configFile: false,
  logLevel: 'warn',
  define: { TOOLSETS: JSON.stringify(await toolsets()) },
  build: {
    outDir: TARGET,
    emptyOutDir: false,
    target: 'es2023',
    minify: false,
    lib: { entry: here('src/console.entry.ts'), formats: ['es'], fileName: () => 'console.js' },
  },
});
const script = `${TARGET}/console.js`;
const { code } = await minify(await readFile(script, 'utf8'), { module: true, ecma: 2020 });
await writeFile(script, LICENSES + code);
const size = gzipSync(code).length;
console.log(`console.js: ${(size / 1024).toFixed(1)} kB gzip`);
if (size > BUDGET_GZIP_BYTES) throw new Error('console.js is too large.');
const styles = STYLES.map((name) => readFile(here(`src/styles/${name}.css`), 'utf8'));
await writeFile(`${TARGET}/console.css`, (await Promise.all(styles)).join('\n'));
