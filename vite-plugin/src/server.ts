import { setTimeout as delay } from 'node:timers/promises';
import type { DevEnvironment, Plugin, ResolvedConfig, ViteDevServer } from 'vite';
import { version as viteVersion } from 'vite';
import { createAddresses } from './companion/addresses.ts';
import { createAnnouncer } from './companion/announce.ts';
import { createCompanions } from './companion/companion.ts';
import { askConsoleLink } from './companion/console-link.ts';
import { type CompanionLink, createLink } from './companion/link.ts';
import { findProject, stateFolder } from './companion/project.ts';
import { registryFiles } from './companion/registry.ts';
import { CHANNEL } from './contract.ts';
import { createAssets } from './http/assets.ts';
import { createProxy } from './http/proxy.ts';
import type { Settings } from './options.ts';
import { tellUpdates, type Updates } from './report/hmr.ts';
import { hearLogger } from './report/log.ts';
import { createTeller, type Teller } from './report/tell.ts';
import { createOpener } from './source/open.ts';
import { createResolver } from './source/resolve.ts';
import { createUsage } from './source/usage.ts';

/** How long a restarted server's old lease waits for the new one. */
const SUCCESSION_MS = 3_000;
/** How long after it listens a dev server that prints its URLs has done so. */
const URLS_MS = 500;

/** The servers that are being restarted, by their root: the next one of that root goes on with their lease. */
const restarting = new Map<string, Succession>();

interface Succession {
  lease: string | undefined;
  taken: Promise<void>;
  take(): void;
}

/** The dev server's part: routes, companion, lease, and what the companion is told. */
export function serverPlugin(settings: Settings): Plugin {
  // On a restart the new server is configured before the old one closes: nothing here belongs to one server alone.
  const connections = new WeakMap<object, Connection>();
  const tellers = new WeakMap<object, Teller>();
  const updates = new WeakMap<object, Updates>();
  return {
    name: 'pageside:server',
    configResolved: {
      order: 'pre',
      handler(config) {
        const teller = createTeller();
        tellers.set(config, teller);
        hearLogger(config.logger, (level, text, error) => {
          teller.tell({ event: 'log', level, text });
          if (level === 'error') updates.get(config)?.logged(text, error);
        });
      },
    },
    configureServer(server) {
      const teller = tellers.get(server.config) ?? createTeller();
      const connection = connect(server, settings, teller);
      updates.set(server.config, connection.updates);
      connections.set(server.environments.client, connection);
      if (isBundled(server.config)) server.httpServer?.once('close', connection.close);
    },
    closeBundle() {
      const environment: DevEnvironment | undefined =
        this.environment?.mode === 'dev' ? this.environment : undefined;
      if (environment && !isBundled(environment.getTopLevelConfig()))
        connections.get(environment)?.close();
    },
  };
}

/** Vite's bundled dev mode closes a bundle after each change. */
function isBundled({ experimental }: ResolvedConfig): boolean {
  return !!experimental.bundledDev;
}

interface Connection {
  updates: Updates;
  close(): void;
}

function connect(server: ViteDevServer, settings: Settings, teller: Teller): Connection {
  const { config } = server;
  const project = findProject(config.root, settings.project);
  const state = stateFolder(settings.stateDir, process.env);
  const announcer = createAnnouncer(
    (line) => config.logger.info(line),
    process.stdout.isTTY === true && !process.env.NO_COLOR,
    askConsoleLink,
  );
  const predecessor = restarting.get(config.root);
  const addresses = createAddresses(
    () => serverUrls(server),
    config.base,
    () => link.renew(),
  );
  const link = createLink({
    companions: createCompanions({
      settings,
      project: project.root,
      projectId: project.id,
      viteRoot: config.root,
      files: registryFiles(state, project.id),
      env: process.env,
      onPassedOver: (message) => config.logger.info(message),
    }),
    leaseInfo: () => ({
      root: project.root,
      urls: addresses.all(),
      pid: process.pid,
      vite: viteVersion,
    }),
    renews: predecessor?.lease,
    onReady(companion) {
      predecessor?.take();
      announcer.companionReady(companion);
      teller.start(link.held);
    },
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
      reached: addresses.reached,
      absence: link.absence,
      own: {
        ...createAssets(config.server.headers),
        [routes.resolve]: createResolver(server, project.root),
        [routes.usage]: createUsage(server, project.root),
        [routes.open]: createOpener(server, project.root),
      },
    }),
  );
  const updates = tellUpdates({ server, project: project.root, ignored: state, tell: teller.tell });
  if (config.server.middlewareMode) announcer.urlsPrinted();
  else afterUrls(server, announcer.urlsPrinted);
  server.httpServer?.once('listening', link.renew);
  tellRestarts(server, link, teller, updates);
  link.start();
  return {
    updates,
    close() {
      const leave = () => void teller.stop().finally(link.stop);
      const successor = restarting.get(config.root);
      if (!successor) leave();
      // Until the new server has a lease, so that the companion does not take this for the end.
      else
        void Promise.race([successor.taken, delay(SUCCESSION_MS, undefined, { ref: false })]).then(
          leave,
        );
    },
  };
}

/** A restart that fails leaves this server as it was, with an error in the config that somebody has to mend. */
function tellRestarts(
  server: ViteDevServer,
  link: CompanionLink,
  teller: Teller,
  updates: Updates,
) {
  const { config, restart } = server;
  server.restart = async (force) => {
    if (restarting.has(config.root)) return restart(force);
    teller.tell({ event: 'restart' });
    restarting.set(config.root, succession(link.held()?.lease));
    try {
      await restart(force);
    } finally {
      restarting.delete(config.root);
    }
    if (server.config === config) updates.notRestarted();
  };
}

function succession(lease: string | undefined): Succession {
  let take = () => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  return { lease, taken, take };
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

/** Astro prints the URLs itself: who has not asked Vite to soon after it listens will not. */
function afterUrls(server: ViteDevServer, then: () => void): void {
  const { printUrls, httpServer } = server;
  let waiting: NodeJS.Timeout | undefined;
  httpServer?.once('listening', () => {
    waiting = setTimeout(then, URLS_MS).unref();
  });
  server.printUrls = () => {
    clearTimeout(waiting);
    printUrls.call(server);
    then();
  };
}
