import { readFileSync } from 'node:fs';
import path from 'node:path';
import { originalPositionFor, type SourceMapInput, TraceMap } from '@jridgewell/trace-mapping';
import type { ViteDevServer } from 'vite';

/** A place in compiled code, as a browser's stack names it; 1-based. */
export interface Frame {
  url: string;
  line: number;
  column: number;
}

export interface Location {
  /** Absolute path. */
  file: string;
  line: number;
  column: number;
  /** The module has been updated since: its map is that of other code. */
  isOld?: boolean;
}

type FoundMap = { map: SourceMapInput; file: string; isOld?: boolean };

/** Finds the authored place of a compiled one, with the source maps that the dev server holds already. */
export function createFrameMapper(
  server: ViteDevServer,
): (frame: Frame) => Promise<Location | null> {
  const traces = new WeakMap<object, TraceMap>();
  return async (frame) => {
    const found = await findMap(server, frame.url);
    if (!found) return null;
    const key = found.map as object;
    const trace = traces.get(key) ?? new TraceMap(found.map);
    traces.set(key, trace);
    const place = originalPositionFor(trace, { line: frame.line, column: frame.column - 1 });
    if (place.source === null) return null;
    const file = path.resolve(path.dirname(found.file), trace.sourceRoot ?? '', place.source);
    return {
      file,
      line: place.line,
      column: place.column + 1,
      ...(found.isOld && { isOld: true }),
    };
  };
}

async function findMap(server: ViteDevServer, frameUrl: string): Promise<FoundMap | null> {
  const url = pathOf(frameUrl, server.config.base);
  if (url === null) return null;
  const graph = server.environments.client.moduleGraph;
  const module = (await graph.getModuleByUrl(url)) ?? (await graph.getModuleByUrl(bare(url)));
  const file = module?.file;
  if (!file) return null;
  const map = module.transformResult?.map;
  const updated = Number(new URL(frameUrl).searchParams.get('t') ?? 0);
  const isOld = updated < module.lastHMRTimestamp;
  if (map && 'version' in map && map.mappings) return { map: map as SourceMapInput, file, isOld };
  return readMapBeside(file);
}

/** An optimised dependency has its map as a file. */
function readMapBeside(file: string): FoundMap | null {
  try {
    return { map: JSON.parse(readFileSync(`${file}.map`, 'utf8')), file };
  } catch {
    return null;
  }
}

function pathOf(frameUrl: string, base: string): string | null {
  if (!URL.canParse(frameUrl)) return null;
  const { pathname, search } = new URL(frameUrl);
  const url = pathname + search;
  return base !== '/' && url.startsWith(base) ? `/${url.slice(base.length)}` : url;
}

/** Without the versions that Vite adds to URLs. */
function bare(url: string): string {
  return url.replace(/([?&])[tv]=[^&]*&?/g, '$1').replace(/[?&]$/, '');
}
