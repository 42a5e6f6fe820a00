// Builds the extension into dist/, a folder that Chrome loads as it is, and puts a copy where the companion hands it out.
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
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

async function bundle(outDir, name, entry) {
  await build({
    root: here('.'),
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: false,
      target: 'chrome125',
      lib: { entry: here(entry), formats: ['es'], fileName: () => `${name}.js` },
    },
  });
}

async function fill(folder) {
  await cp(here('static'), folder, { recursive: true });
  for (const [name, entry] of Object.entries(ENTRIES)) await bundle(folder, name, entry);
  for (const name of ['toolkit', 'tracker', 'serialise'])
    await cp(`${IN_PAGE}/${name}.js`, `${folder}/${name}.js`);
}

/** Puts `folder` in the place of `target`, which is whole before and after. */
async function swap(folder, target, old) {
  await rename(target, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(folder, target);
}

/** Fills a new folder beside `target`, then puts it there: whoever loads it meanwhile has a whole one. */
async function replace(target, work) {
  await mkdir(dirname(target), { recursive: true });
  const aside = await mkdtemp(`${target}.new-`);
  try {
    await mkdir(`${aside}/new`);
    await work(`${aside}/new`);
    await swap(`${aside}/new`, target, `${aside}/old`);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

await replace(OUT_DIR, fill);
await replace(TARGET, (folder) => cp(OUT_DIR, folder, { recursive: true }));
