import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { normalizePath, type ViteDevServer } from 'vite';
import { readBody } from './body.ts';
import { refuse, sendJson } from './errors.ts';
import { refuseBody } from './forward.ts';
import { createFrameMapper, type Location } from './frames.ts';
import { enclosingComponent } from './lexical.ts';
import { type Place, parsePlaces } from './places.ts';
import type { Handler } from './proxy.ts';
import { createSources, realPath, type Source } from './sources.ts';
import { checkTag } from './tags.ts';

/** A place in the developer's own terms; 1-based. */
export interface Resolved {
  file: string;
  line: number;
  column: number;
  component: string | null;
  /** The name of the tag that stands there. */
  tag?: string;
  package: string | null;
  exact: boolean;
  reason?: string;
}

/** Answers `POST resolve`. */
export function createResolver(server: ViteDevServer, projectRoot: string): Handler {
  const resolve = createPlaceResolver(server, projectRoot);
  return (request, response) => {
    answer(request, response, resolve).catch((error: unknown) => {
      server.config.logger.error(`Pageside: a source location could not be resolved: ${error}`);
      refuse(response, {
        status: 500,
        code: 'INTERNAL_ERROR',
        message: 'The source location could not be resolved.',
        fix: "The dev server's terminal has the details.",
      });
    });
  };
}

type PlaceResolver = (place: Place) => Promise<Resolved | null>;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  resolve: PlaceResolver,
): Promise<void> {
  const body = await readBody(request);
  if (body === null) {
    refuseBody(request, response);
    return;
  }
  const places = parsePlaces(body);
  if (Array.isArray(places)) {
    sendJson(response, 200, { places: await Promise.all(places.map(resolve)) });
  } else {
    refuse(response, places);
  }
}

export function createPlaceResolver(server: ViteDevServer, projectRoot: string): PlaceResolver {
  const readSource = createSources();
  const mapFrame = createFrameMapper(server);
  const { root, server: serverOptions } = server.config;
  const readable = [projectRoot, root, ...serverOptions.fs.allow];

  const locate = async ({
    file,
    line,
    column,
    frame,
    fromCwd,
  }: Place): Promise<Location | null> => {
    if (file !== undefined && line > 0)
      return { file: absolute(file, fromCwd ? process.cwd() : root), line, column };
    return frame ? mapFrame(frame) : null;
  };

  return async (place) => {
    const location = await locate(place);
    if (!location) return null;
    const file = realPath(location.file) ?? location.file;
    const result = {
      file: normalizePath(path.relative(projectRoot, file)),
      line: location.line,
      column: location.column,
      component: null,
      package: packageOf(file),
      exact: false,
    };
    if (result.package !== null) return { ...result, reason: 'This lies in node_modules.' };
    const source = readable.some((folder) => isInside(folder, file)) ? readSource(file) : null;
    if (!source) return { ...result, reason: 'The source file cannot be read.' };
    return { ...result, ...inSource(source, location, place.tag) };
  };
}

function inSource(source: Source, { line, column }: Location, tag: string) {
  const checked = checkTag(source.lines[line - 1] ?? '', column, tag);
  const program = source.program();
  const component = program && enclosingComponent(program, line, checked.column);
  return { component, ...checked };
}

function absolute(file: string, root: string): string {
  const clean = file.replace(/^file:\/\//, '').replace(/[?#].*$/, '');
  if (clean.startsWith('/@fs/')) return clean.slice(4);
  return path.isAbsolute(clean) ? clean : path.resolve(root, clean);
}

/** The npm package that a file belongs to, or null for the developer's own. */
export function packageOf(file: string): string | null {
  const below = normalizePath(file).split('/node_modules/').slice(1).at(-1);
  const [first, second] = below?.split('/') ?? [];
  if (!first) return null;
  return first.startsWith('@') && second ? `${first}/${second}` : first;
}

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}
