// Builds what the companion evaluates in the documents that it drives: every src/toolkit/<name>.entry.ts.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SOURCES = here('src/toolkit');
const TARGET = here('../companion/pageside/chrome/static');
const SUFFIX = '.entry.ts';
/** What a bundler calls the value of the bundle; it has to go, for the page must not get a global. */
const BINDING = /^\s*var entry\s*=\s*/;
/** Of the libraries in it. */
const NOTICES = {
  reader: '/*! With @mozilla/readability, Apache License 2.0, Copyright (c) 2010 Arc90 Inc */\n',
};

async function bundle(entry) {
  const [{ output }] = await build({
    root: here('.'),
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'chrome120',
      lib: { entry, formats: ['iife'], name: 'entry' },
    },
  });
  const { code } = output[0];
  if (!BINDING.test(code)) throw new Error(`${entry} is not bundled to one expression.`);
  return code.replace(BINDING, '');
}

/** Each file is one expression, whose value is what the entry exports by default. */
export async function buildToolkit() {
  await mkdir(TARGET, { recursive: true });
  for (const file of await readdir(SOURCES)) {
    if (!file.endsWith(SUFFIX)) continue;
    const name = file.slice(0, -SUFFIX.length);
    const code = (NOTICES[name] ?? '') + (await bundle(`${SOURCES}/${file}`));
    await writeFile(`${TARGET}/${name}.js`, code);
    console.log(`${name}.js  ${code.length} bytes`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await buildToolkit();
