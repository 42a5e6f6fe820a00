// Builds client.js and worker.js, and puts them where the Vite plugin and the companion serve them from.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const BUDGET_GZIP_BYTES = 20 * 1024;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT_DIR = here('dist');
const TARGETS = [here('../vite-plugin/client'), here('../companion/pageside/web/static')];
const ENTRIES = { client: here('src/main.ts'), worker: here('src/worker.ts') };

async function bundle(name, entry, emptyOutDir) {
  await build({
    root: here('.'),
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: OUT_DIR,
      emptyOutDir,
      target: 'es2022',
      minify: true,
      lib: { entry, formats: ['es'], fileName: () => `${name}.js` },
      // Libraries keep their whitespace by default; this one is sent as it is.
      rolldownOptions: { output: { minify: true } },
    },
  });
}

/** DevTools then shows the page's own line for a recorded `console` call, not the recorder's. */
function ignoredByDevTools(code) {
  const lines = code.trimEnd().split('\n').length;
  const map = {
    version: 3,
    sources: ['pageside/client.js'],
    names: [],
    mappings: `AAAA${';AACA'.repeat(lines - 1)}`,
    ignoreList: [0],
    x_google_ignoreList: [0],
  };
  const base64 = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${code.trimEnd()}\n//# sourceMappingURL=data:application/json;base64,${base64}\n`;
}

let emptyOutDir = true;
for (const [name, entry] of Object.entries(ENTRIES)) {
  await bundle(name, entry, emptyOutDir);
  emptyOutDir = false;
}
const client = `${OUT_DIR}/client.js`;
await writeFile(client, ignoredByDevTools(await readFile(client, 'utf8')));

let gzipBytes = 0;
for (const name of Object.keys(ENTRIES)) {
  const code = await readFile(`${OUT_DIR}/${name}.js`);
  const gzip = gzipSync(code, { level: 9 }).length;
  gzipBytes += gzip;
  console.log(`${name}.js  ${code.length} bytes, ${gzip} gzip`);
  for (const target of TARGETS) {
    await mkdir(target, { recursive: true });
    await copyFile(`${OUT_DIR}/${name}.js`, `${target}/${name}.js`);
  }
}
console.log(`together  ${gzipBytes} of ${BUDGET_GZIP_BYTES} bytes gzip`);
if (gzipBytes > BUDGET_GZIP_BYTES) {
  console.error('The client is over its budget.');
}
