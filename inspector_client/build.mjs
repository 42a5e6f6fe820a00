// Builds client.js, worker.js and what they load later, and puts them where the Vite plugin and the companion serve them from.
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { minify as terse } from 'terser';
import { build, minify } from 'vite';
import { buildToolkit } from './build-toolkit.mjs';

const BUDGET_GZIP_BYTES = 25 * 1024;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const OUT_DIR = here('dist');
const TARGETS = [here('../vite-plugin/client'), here('../companion/pageside/web/static')];
const ENTRIES = {
  client: here('src/main.ts'),
  worker: here('src/worker.ts'),
  picture: here('src/picture/draw.ts'),
  details: here('src/source/details.entry.ts'),
  workbench: here('src/workbench/workbench.entry.ts'),
  'page-tools': here('src/page-tools/page-tools.entry.ts'),
};
/** Loaded when they are needed for the first time, so they do not count. */
const LAZY = {
  picture: '/*! With modern-screenshot, MIT License, Copyright (c) 2021-present wxm */\n',
  details: '',
  workbench: '',
  'page-tools': '',
};

/** The style sheet's line breaks and the whole names of its variables are for its readers only. */
const denseStyles = {
  name: 'dense-styles',
  enforce: 'pre',
  transform: (code, id) =>
    /[/-]styles\.ts$/.test(id)
      ? code.replaceAll(/([{};,`])\n+/g, '$1').replaceAll(/--(\w\w)\w+/g, '--$1')
      : null,
};

/** Our own timers go on while those of the page are held (src/clock.ts). */
const OWN_TIME = `const {
  setTimeout, setInterval, clearTimeout, clearInterval, requestAnimationFrame, cancelAnimationFrame,
} = globalThis[Symbol.for('pageside.time')] ?? globalThis;`;

async function bundle(name, entry, emptyOutDir) {
  await build({
    root: here('.'),
    configFile: false,
    logLevel: 'warn',
    plugins: [denseStyles],
    build: {
      outDir: OUT_DIR,
      emptyOutDir,
      target: 'es2022',
      minify: false,
      lib: { entry, formats: ['es'], fileName: () => `${name}.js` },
      // Libraries keep their whitespace by default; this one is sent as it is.
      rolldownOptions: {
        external: name === 'worker' ? ['./main'] : [],
        output: {
          minify: { compress: true, mangle: false },
          paths: () => './client.js',
          intro: name === 'worker' ? '' : OWN_TIME,
        },
      },
    },
  });
}

/** Some 4 % smaller than the bundler's own minifier leaves it. */
async function squeeze(code) {
  const { code: dense } = await terse(code, {
    module: true,
    compress: {
      ecma: 2020,
      passes: 8,
      pure_getters: true,
      unsafe_arrows: true,
      unsafe_methods: true,
    },
    mangle: false,
    format: { comments: false, ecma: 2020 },
  });
  // This one prints shorter.
  return (await minify('client.js', dense, { module: true, compress: false, mangle: true })).code;
}

async function squeezeLazy(name) {
  const file = `${OUT_DIR}/${name}.js`;
  const dense = await minify(file, await readFile(file, 'utf8'), { module: true });
  await writeFile(file, `${LAZY[name]}${dense.code}\n`);
}

/** DevTools then shows the page's own line for a recorded `console` call, not the recorder's. */
function ignoredByDevTools(code) {
  const lines = code.trimEnd().split('\n').length;
  const map = {
    version: 3,
    sources: ['pageside'],
    mappings: `AAAA${';AACA'.repeat(lines - 1)}`,
    ignoreList: [0],
  };
  const json = JSON.stringify(map).replaceAll('"', '%22');
  return `${code.trimEnd()}\n//# sourceMappingURL=data:,${json}\n`;
}

let emptyOutDir = true;
for (const [name, entry] of Object.entries(ENTRIES)) {
  await bundle(name, entry, emptyOutDir);
  emptyOutDir = false;
}
const client = `${OUT_DIR}/client.js`;
for (const name of Object.keys(LAZY)) await squeezeLazy(name);
const dense = await squeeze(await readFile(client, 'utf8'));
await writeFile(client, ignoredByDevTools(dense));

let gzipBytes = 0;
for (const name of Object.keys(ENTRIES)) {
  const code = await readFile(`${OUT_DIR}/${name}.js`);
  const gzip = gzipSync(code, { level: 9 }).length;
  if (!(name in LAZY)) gzipBytes += gzip;
  console.log(`${name}.js  ${code.length} bytes, ${gzip} gzip`);
  for (const target of TARGETS) {
    await mkdir(target, { recursive: true });
    await copyFile(`${OUT_DIR}/${name}.js`, `${target}/${name}.js`);
  }
}
await buildToolkit();
console.log(`client.js and worker.js   ${gzipBytes} of ${BUDGET_GZIP_BYTES} bytes gzip`);
if (gzipBytes > BUDGET_GZIP_BYTES) {
  console.error('The client is over its budget.');
  process.exit(1);
}
