import { describe, expect, it } from 'vitest';
import { type Answer, addPlugin } from '../setup/edit.ts';

function edited(code: string, file = 'vite.config.ts', under?: string): string {
  const answer = addPlugin(code, file, under);
  expect(answer.status, JSON.stringify(answer)).toBe('edited');
  if (answer.status !== 'edited') return '';
  expect(without(answer)).toBe(code);
  expect(addPlugin(answer.code, file, under)).toEqual({ status: 'present' });
  return answer.code;
}

/** The text with each piece taken out where its surroundings say. */
function without({ code, pieces }: Answer & { status: 'edited' }): string {
  let rest = code;
  for (const [before, inserted, after] of [...pieces].reverse()) {
    const whole = before + inserted + after;
    expect(code.split(whole)).toHaveLength(2);
    const start = code.indexOf(whole) + before.length;
    rest = rest.slice(0, start) + rest.slice(start + inserted.length);
  }
  return rest;
}

const IMPORT = "import { pageside } from 'vite-plugin-pageside';\n";
const HEAD = "import { defineConfig } from 'vite';\n";

describe('what `pageside setup` makes of a config', () => {
  it.each([
    ['an object', 'plugins: [a()]', 'plugins: [pageside(), a()]'],
    ['an empty list', 'plugins: []', 'plugins: [pageside()]'],
    ['a spread', 'plugins: [...more, a()]', 'plugins: [pageside(), ...more, a()]'],
    ['a list with a type', 'plugins: [a()] as Plugin[]', 'plugins: [pageside(), a()] as Plugin[]'],
    ['a call', 'plugins: make(1)', 'plugins: [pageside(), make(1)]'],
    [
      'a filtered list',
      'plugins: [a()].filter(Boolean)',
      'plugins: [pageside(), [a()].filter(Boolean)]',
    ],
    ['a short form', 'plugins', 'plugins: [pageside(), plugins]'],
    ['a quoted key', '"plugins": [a()]', '"plugins": [pageside(), a()]'],
    ['no plugins', 'base: "/x"', 'plugins: [pageside()], base: "/x"'],
    [
      'other lists of plugins',
      'worker: { plugins: () => [a()] }',
      'plugins: [pageside()], worker: { plugins: () => [a()] }',
    ],
  ])('%s', (_, before, after) => {
    for (const wrap of [
      (body: string) => `export default defineConfig({ ${body} });\n`,
      (body: string) => `export default { ${body} } satisfies UserConfig;\n`,
      (body: string) => `export default defineConfig(() => ({ ${body} }));\n`,
      (body: string) =>
        `export default defineConfig(async ({ mode }) => {\n  await x(mode);\n  return { ${body} };\n});\n`,
      (body: string) => `const config: UserConfig = { ${body} };\nexport default config;\n`,
      (body: string) =>
        `function make() { const c = { ${body} }; return c; }\nexport default defineConfig(make);\n`,
      (body: string) => `export default mergeConfig(base, { ${body} });\n`,
      (body: string) => `export default mergeConfig(base, defineConfig({ ${body} }));\n`,
    ]) {
      expect(edited(HEAD + wrap(before))).toBe(HEAD + IMPORT + wrap(after));
    }
  });

  it('a list under a name', () => {
    const rest = 'export default { plugins };\n';
    expect(edited(`const plugins = [a()];\n${rest}`)).toBe(
      `${IMPORT}\nconst plugins = [pageside(), a()];\n${rest}`,
    );
    const typed =
      'export const list: Plugin[] = [];\nlist.push(a());\nexport default { plugins: list };\n';
    expect(edited(typed)).toContain('list: Plugin[] = [pageside()];');
  });

  it('every config that may be returned', () => {
    const code = edited(
      'export default defineConfig(({ command }) => {\n  if (command === "serve") return { plugins: [a()] };\n  else {\n    return { base: "/" };\n  }\n});\n',
    );
    expect(code.match(/pageside\(\)/g)).toHaveLength(2);
    expect(
      edited('export default isCi ? { a: 1 } : { b: 2 }\n').match(/pageside\(\)/g),
    ).toHaveLength(2);
    expect(
      edited('const c = { a: 1 };\nexport default x ? c : c;\n').match(/pageside\(\)/g),
    ).toHaveLength(1);
  });

  it('keeps to the way the file is written', () => {
    expect(
      edited(
        'import a from "a" // why\nimport b from "b"\n\nexport default {\n\tplugins: [\n\t\t// first\n\t\ta(),\n\t\tb(),\n\t],\n}\n',
      ),
    ).toBe(
      'import a from "a" // why\nimport b from "b"\nimport { pageside } from "vite-plugin-pageside"\n\nexport default {\n\tplugins: [\n\t\tpageside(),\n\t\t// first\n\t\ta(),\n\t\tb(),\n\t],\n}\n',
    );
    expect(edited('import a from "a";\r\nexport default {\r\n  base: "/",\r\n};\r\n')).toBe(
      'import a from "a";\r\nimport { pageside } from "vite-plugin-pageside";\r\nexport default {\r\n  plugins: [pageside()],\r\n  base: "/",\r\n};\r\n',
    );
    expect(
      edited(
        '// @ts-check\n/** @type {import("vite").UserConfig} */\nexport default {\n}\n',
        'vite.config.js',
      ),
    ).toBe(
      '// @ts-check\nimport { pageside } from "vite-plugin-pageside"\n\n/** @type {import("vite").UserConfig} */\nexport default {\n  plugins: [pageside()],\n}\n',
    );
  });

  it('CommonJS', () => {
    expect(
      edited(
        "'use strict';\nconst a = require('a');\nconst { b } = require('b').c;\nmodule.exports = { plugins: [a()] };\n",
        'vite.config.cjs',
      ),
    ).toBe(
      "'use strict';\nconst a = require('a');\nconst { b } = require('b').c;\nconst { pageside } = require('vite-plugin-pageside');\nmodule.exports = { plugins: [pageside(), a()] };\n",
    );
    expect(edited("'use strict'\nmodule.exports = {}\n", 'vite.config.js')).toBe(
      "'use strict'\nconst { pageside } = require('vite-plugin-pageside')\nmodule.exports = { plugins: [pageside()] }\n",
    );
  });

  it('frameworks that have the config of Vite under a key', () => {
    expect(
      edited(
        'export default defineNuxtConfig({\n  ssr: true,\n  vite: {\n    plugins: [a()],\n  },\n});\n',
        'nuxt.config.ts',
        'vite',
      ),
    ).toContain('    plugins: [pageside(), a()],\n');
    expect(
      edited("export default defineConfig({\n  site: 'x',\n});\n", 'astro.config.mjs', 'vite'),
    ).toContain(
      "export default defineConfig({\n  vite: { plugins: [pageside()] },\n  site: 'x',\n});\n",
    );
  });

  it('a config that is exported by name', () => {
    expect(edited('const config = { plugins: [a()] };\nexport { config as default };\n')).toContain(
      '[pageside(), a()]',
    );
    expect(edited('export default function (env) { return { plugins: [a()] }; }\n')).toContain(
      '[pageside(), a()]',
    );
  });

  it('is not misled by words and types', () => {
    const types = "import type { PagesideOptions } from 'vite-plugin-pageside';\n";
    const code = edited(
      `${types}// pageside\nexport default { base: '/pageside/', plugins: [] };\n`,
    );
    expect(code).toContain(`${types}${IMPORT}`);
    expect(code).toContain('plugins: [pageside()]');
  });

  it('gives the plugin another name where its own is taken', () => {
    const code = edited('const pageside = 1;\nexport default { plugins: [] };\n');
    expect(code).toContain('import { pageside as pagesidePlugin } from');
    expect(code).toContain('plugins: [pagesidePlugin()]');
  });

  it.each([
    ['import config from "./base";\nexport default config;\n', 'is not written in this file'],
    ['export default { ...base };\n', 'may be in what is spread'],
    ['export default { plugins() {} };\n', 'is a method'],
    ['export default build();\n', 'is not known'],
    ['export default mergeConfig(a, b);\n', 'is not written in this file'],
    ['export default defineConfig(() => { use(); });\n', 'does not return a config'],
    ['export const x = 1;\n', 'exports no config'],
    ['const a = b;\nconst b = a;\nexport default a;\n', 'in a circle'],
    ['import { pageside } from "vite-plugin-pageside";\nexport default {};\n', 'does not use it'],
    ['', 'exports no config'],
  ])('says why it leaves %j alone', (code, why) => {
    expect(addPlugin(code, 'vite.config.ts')).toEqual({
      status: 'unknown',
      why: expect.stringContaining(why),
    });
  });

  it('tells where a text cannot be read', () => {
    expect(addPlugin('export default {\n  plugins: [\n}\n', 'vite.config.ts')).toEqual({
      status: 'unreadable',
      why: expect.any(String),
      line: 3,
      column: 1,
    });
    expect(addPlugin('const a: number = 1;\n', 'vite.config.js').status).toBe('unreadable');
  });

  it('knows that the plugin is there, however it is written', () => {
    for (const code of [
      'import pageside from "vite-plugin-pageside";\nexport default { plugins: [pageside({ lan: true })] };\n',
      'import * as all from "vite-plugin-pageside";\nexport default { plugins: [all.pageside()] };\n',
      'const { pageside } = require("vite-plugin-pageside");\nmodule.exports = { plugins: [pageside()] };\n',
    ]) {
      expect(addPlugin(code, 'vite.config.js')).toEqual({ status: 'present' });
    }
  });
});
