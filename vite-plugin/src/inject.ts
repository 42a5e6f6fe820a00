import type { OutgoingHttpHeaders } from 'node:http';
import type { Plugin, ResolvedConfig } from 'vite';
import { findProject } from './companion/project.ts';
import { CHANNEL } from './contract.ts';
import type { Settings } from './options.ts';
import type { OverlayOptions } from './overlay.ts';

/** Vite's own client: the first module of each page. */
export const VITE_CLIENT = /\/vite\/dist\/client\/client\.mjs(?:\?.*)?$/;

/**
 * Loads the inspector client into every page. Both hooks name the same URL, so the browser runs it once:
 * frameworks that write their own HTML never call the first, and Vite's bundled dev mode never the second.
 */
export function injectPlugin(settings: Settings): Plugin {
  let url = '';
  return {
    name: 'pageside:inject',
    configResolved: {
      order: 'pre',
      handler(config) {
        url = clientUrl(config, findProject(config.root, settings.project).id, settings.overlay);
        if (config.plugins.some(({ name }) => name.startsWith('vite-plugin-sveltekit')))
          dropHtmlHooks(config);
      },
    },
    transformIndexHtml: {
      // After Vite has looked at the page's scripts: the client must not go through its pipeline.
      order: 'post',
      handler: () => [
        { tag: 'script', attrs: { type: 'module', src: url }, injectTo: 'head-prepend' as const },
      ],
    },
    transform: {
      filter: { id: VITE_CLIENT },
      handler(code) {
        if (this.environment?.config.consumer === 'server') return undefined;
        return { code: `${code}\n${loader(url)}`, map: null };
      },
    },
  };
}

/** SvelteKit writes its own HTML, and warns of every plugin that has a hook for it. */
function dropHtmlHooks({ plugins }: ResolvedConfig): void {
  for (const plugin of plugins)
    if (plugin.name.startsWith('pageside:')) delete plugin.transformIndexHtml;
}

/** The query tells the client what it must know before any companion answers. */
export function clientUrl(
  { base, server }: Pick<ResolvedConfig, 'base' | 'server'>,
  projectId: string,
  overlay: OverlayOptions = {},
): string {
  const query = new URLSearchParams({ project: projectId });
  if (Object.keys(overlay).length > 0) query.set('overlay', JSON.stringify(overlay));
  if (requiresTrustedTypes(server.headers)) query.set('tt', '1');
  return `${base}${CHANNEL.prefix.slice(1)}${CHANNEL.routes.client}?${query}`;
}

function requiresTrustedTypes(headers: OutgoingHttpHeaders = {}): boolean {
  return Object.entries(headers).some(
    ([name, value]) =>
      name.toLowerCase() === 'content-security-policy' &&
      String(value).includes('require-trusted-types-for'),
  );
}

/** What Vite's client tells those who listen, and the inspector client passes on. */
const HOT_EVENTS = [
  'afterUpdate',
  'beforeFullReload',
  'error',
  'invalidate',
  'ws:connect',
  'ws:disconnect',
];
/** What a page may keep for an inspector client that does not come. */
const MAX_EARLY = 100;

/** Only pages of the dev server itself can reach the companion, so the client stays out of all others. */
function loader(url: string): string {
  return `if (globalThis.location?.origin === new URL(import.meta.url).origin) {
  if (typeof createHotContext === 'function') {
    const symbol = Symbol.for(${JSON.stringify(CHANNEL.hotSymbol)});
    // Not enumerable: who lists the page's globals does not meet it.
    if (!globalThis[symbol]) Object.defineProperty(globalThis, symbol, { value: [], writable: true });
    const hot = createHotContext(${JSON.stringify(CHANNEL.prefix)});
    const modules = hot.hmrClient?.hotModulesMap;
    // Vite tells every page of every update; a page that has not loaded the module is done with it at once.
    const isHere = ({ type, path }) => type !== 'js-update' || !modules || modules.has(path);
    for (const name of ${JSON.stringify(HOT_EVENTS)})
      hot.on('vite:' + name, (data) => {
        const heard = globalThis[symbol];
        if (heard.length >= ${MAX_EARLY}) return;
        const stamps = data?.updates?.map(({ timestamp }) => timestamp);
        const shown = stamps ? { stamps, updates: data.updates.filter(isHere) } : data;
        heard.push([name, shown, performance.now()]);
      });
  }
  import(/* @vite-ignore */ new URL(${JSON.stringify(url)}, import.meta.url).href)
    .catch((error) => console.debug('[pageside] the inspector client did not load', error));
}
`;
}
