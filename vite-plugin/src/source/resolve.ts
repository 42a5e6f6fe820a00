import path from 'node:path';
import { normalizePath, type ViteDevServer } from 'vite';
import { astroTag } from '../frameworks/astro.ts';
import { checkMade, isMade } from '../frameworks/made.ts';
import type { Handler } from '../http/proxy.ts';
import { compiledVersion } from './compiled.ts';
import { createExplainer, type Explained } from './explain.ts';
import { createFrameMapper, type Location } from './frames.ts';
import { createBodyRoute } from './json-route.ts';
import { componentOfFile, enclosingComponent, enclosingFunction } from './lexical.ts';
import { withoutQuery } from './modules.ts';
import { findMaker, type Maker } from './origin.ts';
import { type Place, parsePlaces } from './places.ts';
import { REASONS } from './reasons.ts';
import { createJsxMapper } from './rewritten.ts';
import { createSources, linesOf, realPath, type Source } from './sources.ts';
import { checkTag } from './tags.ts';
import { lineNow, versions } from './versions.ts';

/** A place in the developer's own terms; 1-based. */
export interface Resolved extends Explained {
  file: string;
  line: number;
  column: number;
  component: string | null;
  /** The function, else the file, that it is written in. */
  within?: string;
  /** The name of the tag that stands there. */
  tag?: string;
  package: string | null;
  exact: boolean;
  reason?: string;
  fix?: string;
}

/** Answers `POST resolve`. */
export function createResolver(server: ViteDevServer, projectRoot: string): Handler {
  const resolve = createPlaceResolver(server, projectRoot);
  const failure = 'The source location could not be resolved.';
  return createBodyRoute(server.config.logger, failure, async (body) => {
    const places = parsePlaces(body);
    return Array.isArray(places)
      ? { answer: { places: await Promise.all(places.map(resolve)) } }
      : { refusal: places };
  });
}

type PlaceResolver = (place: Place) => Promise<Resolved | null>;

function createPlaceResolver(server: ViteDevServer, projectRoot: string): PlaceResolver {
  const readSource = createSources();
  const mapFrame = createFrameMapper(server);
  const mapJsx = createJsxMapper(server);
  const { root, server: serverOptions } = server.config;
  const readable = [projectRoot, root, ...serverOptions.fs.allow];
  const readOwn = (file: string) =>
    readable.some((folder) => isInside(folder, file)) ? readSource(file) : null;
  const explain = createExplainer(server, projectRoot, readOwn);

  const locate = async ({
    file,
    line,
    column,
    frame,
    fromCwd,
    version,
  }: Place): Promise<Location | null> => {
    if (file !== undefined && (line > 0 || !frame)) {
      const named = absolute(file, fromCwd ? process.cwd() : root);
      // The compiled module is that of the newest text.
      const isCurrent = version === undefined || version === compiledVersion(named);
      const written = (isCurrent && mapJsx(file, { line, column })) || { line, column };
      return { file: named, ...written };
    }
    return frame ? mapFrame(frame) : null;
  };

  const withMore = async (found: Resolved, source: Source, file: string, place: Place) => {
    const more = place.more && (await explain(source, file, found));
    const maker = place.opaque && (await findMaker(server, file, source.lines, found.tag ?? ''));
    return { ...found, ...more, ...(maker && usedOnly(maker)) };
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
    const source = readOwn(file);
    if (!source) return { ...result, ...REASONS.unreadable };
    if (location.line === 0) return { ...result, ...wholeFile(file) };
    const start = astroTag({ ...location, file }, source.lines, place.tag);
    const checked = inSource(source, start, place);
    const found = { ...result, ...checked, ...(location.isOld && checked.exact && REASONS.old) };
    return found.exact ? withMore(found, source, file, place) : found;
  };
}

function wholeFile(file: string) {
  return { line: 1, column: 1, component: componentOfFile(file), ...REASONS.wholeFile };
}

function inSource(source: Source, { file, line: then, column }: Location, place: Place) {
  const version = place.version ?? compiledVersion(normalizePath(file));
  const line = lineOf(source, { line: then, column }, version, place);
  if (line === null) {
    return { component: componentOfFile(file), tag: '', ...REASONS.changed };
  }
  const checked = isMade(place.via)
    ? checkMade(source.lines, { line, column }, place.via, place.tag)
    : checkTag(source.lines[line - 1] ?? '', column, place.tag);
  const program = source.program();
  const component =
    componentOfFile(file) ?? (program && enclosingComponent(program, line, checked.column));
  const within = () =>
    (program && enclosingFunction(program, line, checked.column)) ?? path.basename(file);
  return {
    line,
    component,
    ...(component === null && { within: within() }),
    tag: place.tag,
    ...(!checked.exact && { fix: isMade(place.via) ? REASONS.made.fix : REASONS.old.fix }),
    ...checked,
  };
}

/** The line that a line of an earlier text is now; null where that is not certain. */
function lineOf(
  source: Source,
  { line, column }: { line: number; column: number },
  version: string | undefined,
  { tag, via }: Place,
): number | null {
  if (version === undefined || version === source.version()) return line;
  const old = linesOf(versions.textOf(version) ?? '');
  // Nobody knows what it came from, or its compiler counted in something else.
  if (!isMade(via) && !checkTag(old[line - 1] ?? '', column, tag).exact) return null;
  return lineNow(old, source.lines, line);
}

/** A call site stands for what the component makes only if that is not the developer's own code. */
function usedOnly(maker: Maker) {
  return 'package' in maker ? {} : REASONS.usedOnly(maker.file);
}

function absolute(file: string, root: string): string {
  const clean = normalizePath(withoutQuery(file.replace(/^file:\/\//, '')));
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

export function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
}
