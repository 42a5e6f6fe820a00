import type { Plugin, PluginOption } from 'vite';
import { injectPlugin } from './inject.ts';
import { type PagesideOptions, resolveSettings } from './options.ts';
import { reactPlugin } from './react.ts';
import { serverPlugin } from './server.ts';

export type { CompanionOptions, PagesideOptions } from './options.ts';

/** Connects this dev server's pages to Pageside. Does nothing in `vite build` and `vite preview`. */
export function pageside(options: PagesideOptions = {}): PluginOption {
  const settings = resolveSettings(options, process.env);
  if (!settings.enabled) return [];
  const plugins = [serverPlugin(settings), injectPlugin(settings)];
  if (settings.react) plugins.push(reactPlugin());
  return plugins.map(onlyInDevelopment);
}

export default pageside;

function onlyInDevelopment(plugin: Plugin): Plugin {
  return { ...plugin, apply: (_, { command, isPreview }) => command === 'serve' && !isPreview };
}
