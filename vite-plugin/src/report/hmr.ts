import path from 'node:path';
import { type HotPayload, normalizePath, type Update, type ViteDevServer } from 'vite';
import { withoutQuery } from '../source/modules.ts';
import { type Problem, type RawError, readProblem } from './problem.ts';
import type { Teller } from './tell.ts';

const CHANGES = { change: 'update', add: 'create', unlink: 'delete' } as const;
const RESTART_FAILED = 'server restart failed';
/** Vite logs an error and sends it, and a page that asks twice gets it twice. */
const SAME_WITHIN_MS = 1_000;

export interface UpdateContext {
  server: ViteDevServer;
  project: string;
  /** A folder of ours, whose files are nobody's business. */
  ignored: string;
  tell: Teller['tell'];
}

export interface Updates {
  /** An error that was logged, if it is one of the app's code: others (a proxy's, a socket's) have no place in it. */
  logged(text: string, error: unknown): void;
  /** The dev server could not restart, for the reason that it logged last. */
  notRestarted(): void;
}

/** Tells which files changed, what Vite sent to the browsers because of them, and which errors stood in the way. */
export function tellUpdates({ server, project, ignored, tell }: UpdateContext): Updates {
  const { config } = server;
  const { hot, moduleGraph } = server.environments.client;
  const broken = new Map<string, string>();
  const recent = new Map<string, number>();
  let lastError = '';

  const shown = (file: string) => normalizePath(path.relative(project, withoutQuery(file)));
  const fileOf = (url: string) => {
    const file = moduleGraph.urlToModuleMap.get(url)?.file ?? fileOfUrl(url, config.root);
    return file === null ? {} : { file: shown(file) };
  };

  function changed(event: keyof typeof CHANGES, file: string): void {
    const type = CHANGES[event];
    const absolute = normalizePath(file);
    if (absolute.startsWith(`${normalizePath(ignored)}/`)) return;
    recent.clear();
    if (type === 'delete') broken.delete(absolute);
    const modules = [...(moduleGraph.getModulesByFile(absolute) ?? [])].map(({ url }) => url);
    tell({ event: 'change', file: shown(absolute), type, modules });
  }
  function sent(payload: HotPayload): void {
    if (payload.type === 'error') raised(payload.err);
    else if (config.server.hmr === false) return;
    else if (payload.type === 'update') tellUpdate(payload.updates);
    else if (payload.type === 'full-reload') tellReload(payload);
  }
  function tellUpdate(updates: Update[]): void {
    const [first] = updates;
    if (!first) return;
    tell({
      event: 'sent',
      stamp: first.timestamp,
      updates: updates.map(({ type, path: boundary, acceptedPath }) => ({
        type,
        path: boundary,
        acceptedPath,
        ...fileOf(acceptedPath),
      })),
    });
  }
  function tellReload(payload: { path?: string; triggeredBy?: string }): void {
    const { path: page, triggeredBy } = payload;
    const file =
      triggeredBy ?? (page?.endsWith('.html') ? path.join(config.root, page) : undefined);
    tell({ event: 'full-reload', path: page, file: file && shown(file), stamp: Date.now() });
  }
  function raised(error: RawError): void {
    const problem: Problem = readProblem(error);
    // What is relative is so to the folder that Vite runs in.
    const file = problem.file && path.resolve(problem.file);
    const { message, line, column } = problem;
    const key = JSON.stringify([message, file, line, column]);
    const now = performance.now();
    if (now - (recent.get(key) ?? Number.NEGATIVE_INFINITY) < SAME_WITHIN_MS) return;
    recent.set(key, now);
    if (file) broken.set(normalizePath(moduleFile(error) ?? file), shown(file));
    tell({ event: 'error', ...problem, file: file && shown(file) });
  }
  function served(url: string): void {
    const pathname = url.startsWith(config.base) ? `/${url.slice(config.base.length)}` : url;
    const file = fileOfUrl(pathname, config.root);
    const shownFile = file && broken.get(normalizePath(file));
    if (!file || !shownFile) return;
    broken.delete(normalizePath(file));
    recent.clear();
    tell({ event: 'mended', file: shownFile });
  }

  for (const event of Object.keys(CHANGES) as (keyof typeof CHANGES)[])
    server.watcher.on(event, (file) => changed(event, file));
  const send: (payload: HotPayload, ...more: unknown[]) => void = hot.send.bind(hot);
  // Also called as send(event, data), which are the app's own messages.
  hot.send = (payload: HotPayload | string, ...more: unknown[]) => {
    if (typeof payload !== 'string') sent(payload);
    send(payload as HotPayload, ...more);
  };
  server.middlewares.use((request, response, next) => {
    const { url } = request;
    if (broken.size > 0 && url)
      response.once('finish', () => {
        if (response.statusCode < 400) served(url);
      });
    next();
  });

  return {
    logged(text, error) {
      if (!text.includes(RESTART_FAILED)) lastError = text;
      const { id, loc, frame, plugin } = (error ?? {}) as RawError;
      if (id || loc || frame || plugin || (error && text.includes('updating dependencies')))
        raised(error as RawError);
    },
    notRestarted() {
      tell({ event: 'restart-failed' });
      raised({ message: lastError || RESTART_FAILED });
    },
  };
}

/** The module that was asked for; the place of the error may be in a file that it includes. */
function moduleFile({ id }: RawError): string | null {
  return typeof id === 'string' && path.isAbsolute(id) ? withoutQuery(id) : null;
}

function fileOfUrl(url: string, root: string): string | null {
  const pathname = withoutQuery(url);
  if (pathname.startsWith('/@fs/')) return decode(pathname.slice('/@fs'.length));
  if (!pathname.startsWith('/') || pathname.startsWith('/@')) return null;
  return path.join(root, decode(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
}

function decode(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
