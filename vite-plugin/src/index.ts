import type { Plugin, PluginOption } from 'vite';
import { astroPlugin } from './astro.ts';
import { compiledPlugins } from './compiled.ts';
import { createdPlugin } from './created.ts';
import { htmlPlugin } from './html.ts';
import { injectPlugin } from './inject.ts';
import { marksPlugin } from './marks.ts';
import { type PagesideOptions, resolveSettings } from './options.ts';
import { preactPlugin } from './preact.ts';
import { reactPlugin } from './react.ts';
import { serverPlugin } from './server.ts';
import { solidPlugin } from './solid.ts';
import { sveltePlugin } from './svelte.ts';
import { svelteStatePlugin } from './svelte-state.ts';
import { vuePlugin } from './vue.ts';

export type { CompanionOptions, PagesideOptions } from './options.ts';

/** Connects this dev server's pages to Pageside. Does nothing in `vite build` and `vite preview`. */
export function pageside(options: PagesideOptions = {}): PluginOption {
  const settings = resolveSettings(options, process.env);
  if (!settings.enabled) return [];
  const plugins = [serverPlugin(settings), injectPlugin(settings)];
  if (settings.react) plugins.push(reactPlugin());
  plugins.push(astroPlugin());
  if (settings.vue) plugins.push(vuePlugin());
  plugins.push(sveltePlugin(), svelteStatePlugin());
  plugins.push(
    ...compiledPlugins(settings),
    preactPlugin(),
    marksPlugin(settings),
    createdPlugin(settings),
  );
  if (settings.solid) plugins.push(solidPlugin());
  if (settings.markup) plugins.push(htmlPlugin());
  return plugins.map(onlyInDevelopment);
}

export default pageside;

function onlyInDevelopment(plugin: Plugin): Plugin {
  return { ...plugin, apply: (_, { command, isPreview }) => command === 'serve' && !isPreview };
}
