// Builds the tool by which `pageside setup` edits a project's config: one file, for any Node that Vite runs on.
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const TARGET = here('../../companion/pageside/setup/static');
const NOTICES =
  '/*! With @babel/parser, MIT License, Copyright (C) 2012-2014 by various contributors; magic-string, MIT License, Copyright 2018 Rich Harris */\n';

const { output } = await build({
  root: here('..'),
  configFile: false,
  logLevel: 'warn',
  ssr: { noExternal: true },
  build: { ssr: here('entry.ts'), write: false, target: 'node20', minify: true },
});
await mkdir(TARGET, { recursive: true });
await writeFile(`${TARGET}/edit.mjs`, NOTICES + output[0].code);
console.log(`edit.mjs  ${output[0].code.length} bytes`);
