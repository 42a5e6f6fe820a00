import path from 'node:path';
import { normalizePath, type Plugin } from 'vite';
import { versions } from '../source/versions.ts';

/** What @sveltejs/vite-plugin-svelte hands to its user's `dynamicCompileOptions` before each compilation. */
interface Compilation {
  filename: string;
  code: string;
  compileOptions: { generate?: unknown };
}

interface SvelteOptions {
  dynamicCompileOptions?: (compilation: Compilation) => unknown;
}

/**
 * Svelte's own elements know their places in development. This adds which text of a file those places count in: each
 * component tells its version when it is loaded.
 */
export function sveltePlugin(): Plugin {
  const compiled = new Map<string, string>();
  return {
    name: 'pageside:svelte',
    enforce: 'post',
    configResolved({ plugins }) {
      const options: SvelteOptions | undefined = plugins.find(
        ({ name, api }) => name.startsWith('vite-plugin-svelte') && api?.options,
      )?.api.options;
      if (!options) return;
      const { dynamicCompileOptions } = options;
      options.dynamicCompileOptions = (compilation) => {
        const { filename, code, compileOptions } = compilation;
        if (compileOptions.generate !== 'server')
          compiled.set(normalizePath(filename), versions.keep(filename, asWritten(code)));
        return dynamicCompileOptions?.(compilation);
      };
    },
    transform(code, id) {
      const version = compiled.get(id);
      if (version === undefined || this.environment.config.consumer === 'server') return undefined;
      return { code: code + tell(nameOf(id), version), map: null };
    },
  };
}

/** Without the rule that the plugin adds to each style sheet. */
function asWritten(code: string): string {
  return code.replace(/ \*\{\}(?=<\/style>(?!.*<\/style>))/s, '');
}

/** As Svelte writes it into its elements. */
function nameOf(file: string): string {
  const folder = normalizePath(process.cwd());
  return file.startsWith(folder) ? normalizePath(path.relative(folder, file)) : file;
}

/** Dressed as a time that Vite put there: a component that only moved in its file must not be sent again for this. */
function tell(file: string, version: string): string {
  const [key, value] = [file, `?t=${version}`].map((text) => JSON.stringify(text));
  return `\n;((globalThis.__PAGESIDE__ ??= {}).svelte ??= {})[${key}] = ${value};\n`;
}
