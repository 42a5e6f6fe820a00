import type { DevEnvironment, Plugin, ViteDevServer } from 'vite';
import { version as viteVersion } from 'vite';
import { createAnnouncer } from './announce.ts';
import { createAsset } from './assets.ts';
import { createCompanions } from './companion.ts';
import { CHANNEL } from './contract.ts';
import { type CompanionLink, createLink } from './link.ts';
import type { Settings } from './options.ts';
import { findProject, stateFolder } from './project.ts';
import { createProxy } from './proxy.ts';
import { registryFiles } from './registry.ts';
import { createResolver } from './resolve.ts';

/** The dev server's part: routes, companion, lease. */
export function serverPlugin(settings: Settings): Plugin {
  // On a restart the new server is configured before the old one closes: nothing here belongs to one server alone.
  const links = new WeakMap<object, CompanionLink>();
  return {
    name: 'pageside:server',
    configureServer(server) {
      const link = connect(server, settings);
      links.set(server.environments.client, link);
    },
    closeBundle() {
      const environment: DevEnvironment | undefined =
        this.environment?.mode === 'dev' ? this.environment : undefined;
      if (environment) links.get(environment)?.stop();
    },
  };
}

function connect(server: ViteDevServer, settings: Settings): CompanionLink {
  const { config } = server;
  const project = findProject(config.root, settings.project);
  const announcer = createAnnouncer(
    (line) => config.logger.info(line),
    process.stdout.isTTY === true && !process.env.NO_COLOR,
  );
  const link = createLink({
    companions: createCompanions({
      settings,
      project: project.root,
      projectId: project.id,
      viteRoot: config.root,
      files: registryFiles(stateFolder(settings.stateDir, process.env), project.id),
      env: process.env,
    }),
    leaseInfo: () => ({
      root: project.root,
      urls: serverUrls(server),
      pid: process.pid,
      vite: viteVersion,
    }),
    onReady: announcer.companionReady,
    onFailure: (message) => config.logger.warn(message),
  });
  const { routes } = CHANNEL;
  const access = { allowedHosts: config.server.allowedHosts ?? [], lan: settings.lan };
  if (access.allowedHosts === true) config.logger.warn(allHostsWarning(settings.lan));
  server.middlewares.use(
    createProxy({
      base: config.base,
      access,
      projectId: project.id,
      companion: link.current,
      absence: link.absence,
      own: {
        [routes.client]: createAsset('client.js', config.server.headers),
        [routes.worker]: createAsset('worker.js', config.server.headers),
        [routes.picture]: createAsset('picture.js', config.server.headers),
        [routes.resolve]: createResolver(server, project.root),
      },
    }),
  );
  if (config.server.middlewareMode) announcer.urlsPrinted();
  else afterUrls(server, announcer.urlsPrinted);
  server.httpServer?.once('listening', link.renew);
  link.start();
  return link;
}

/** With every name allowed, any website could make its own lead here and read what the developer's page reads. */
function allHostsWarning(lan: boolean): string {
  const answered = lan ? 'localhost and IP addresses' : 'localhost';
  return (
    `Pageside: server.allowedHosts is true, so Pageside answers at ${answered} only. ` +
    'List the names that are yours in server.allowedHosts to use it there.'
  );
}

function serverUrls(server: ViteDevServer): string[] {
  const { local, network } = server.resolvedUrls ?? { local: [], network: [] };
  return [...local, ...network];
}

function afterUrls(server: ViteDevServer, then: () => void): void {
  const { printUrls } = server;
  server.printUrls = () => {
    printUrls.call(server);
    then();
  };
}
