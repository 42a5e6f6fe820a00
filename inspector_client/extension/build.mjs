// Builds the extension into dist/, a folder that Chrome loads as it is, and puts a copy where the companion hands it out.
import { cp, mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT_DIR = here('dist');
const TARGET = here('../../companion/pageside/web/static/extension');
const IN_PAGE = here('../../companion/pageside/chrome/static');
const ENTRIES = {
  background: 'src/background/background.entry.ts',
  devtools: 'src/devtools.entry.ts',
  panel: 'src/panel/panel.entry.ts',
  popup: 'src/popup/popup.entry.ts',
  picture: 'src/panel/picture.entry.ts',
};

async function bundle(name, entry) {
  await build({
    root: here('.'),
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: OUT_DIR,
      emptyOutDir: false,
      target: 'chrome125',
      lib: { entry: here(entry), formats: ['es'], fileName: () => `${name}.js` },
    },
  });
}

await rm(OUT_DIR, { recursive: true, force: true });
await cp(here('static'), OUT_DIR, { recursive: true });
for (const [name, entry] of Object.entries(ENTRIES)) await bundle(name, entry);
for (const name of ['toolkit', 'tracker', 'serialise'])
  await cp(`${IN_PAGE}/${name}.js`, `${OUT_DIR}/${name}.js`);
await rm(TARGET, { recursive: true, force: true });
await mkdir(TARGET, { recursive: true });
await cp(OUT_DIR, TARGET, { recursive: true });
