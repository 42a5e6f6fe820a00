import type { Plugin, PluginOption } from 'vite';
import { astroPlugin } from './frameworks/astro.ts';
import { createdPlugin } from './frameworks/created.ts';
import { htmlPlugin } from './frameworks/html.ts';
import { marksPlugin } from './frameworks/marks.ts';
import { preactPlugin } from './frameworks/preact.ts';
import { reactPlugin } from './frameworks/react.ts';
import { solidPlugin } from './frameworks/solid.ts';
import { sveltePlugin } from './frameworks/svelte.ts';
import { svelteStatePlugin } from './frameworks/svelte-state.ts';
import { vuePlugin } from './frameworks/vue.ts';
import { injectPlugin } from './inject.ts';
import { type PagesideOptions, resolveSettings } from './options.ts';
import { pageToolsPlugin } from './page-tools.ts';
import { serverPlugin } from './server.ts';
import { compiledPlugins } from './source/compiled.ts';

export type { CompanionOptions, PagesideOptions } from './options.ts';
export type { OverlayOptions } from './overlay.ts';

/** Connects this dev server's pages to Pageside. Does nothing in `vite build` and `vite preview`. */
export function pageside(options: PagesideOptions = {}): PluginOption {
  const settings = resolveSettings(options, process.env);
  if (!settings.enabled) return [];
  const plugins = [serverPlugin(settings), injectPlugin(settings), pageToolsPlugin()];
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
