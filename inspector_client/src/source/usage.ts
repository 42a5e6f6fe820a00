import { isRecord } from '../basics';
import type { Resolved, SourceLocation, Usage } from '../protocol';
import { readSource } from '.';
import type { Part } from './explain';
import { instancesOf } from './instances';
import type { Resolve } from './resolver';
import { summaryOf } from './usage-summary';

/** What the dev server knows of a component's uses. */
export interface Reach {
  counted: boolean;
  places: number;
  modules: number;
  importers: number;
  importedBy: string[];
}

type Ask = (
  body: Pick<SourceLocation, 'file' | 'line' | 'column' | 'component'>,
) => Promise<unknown>;

/** How far a change of the place reaches: on the page, and in the project's files. */
export function createUsage(resolve: Resolve, ask: Ask): Part {
  return async (element, located) => {
    const { file, line, column, component } = located;
    if (!file) return {};
    const [instances, site, reach] = await Promise.all([
      instancesOf(element, resolve),
      siteOf(element, located, resolve),
      // Without it the page still says what it knows itself.
      ask({ file, line, column, component }).catch(() => null),
    ]);
    const { places, modules, importedBy, ...more } = isReach(reach) ? reach : UNKNOWN;
    const known = { instances: instances.length, places, modules, ...(site && { site }) };
    const summary = summaryOf({ ...known, ...more });
    return { usage: { ...known, importedBy, summary } };
  };
}

const UNKNOWN: Reach = { counted: false, places: 0, modules: 0, importers: 0, importedBy: [] };

function isReach(value: unknown): value is Reach {
  return isRecord(value) && Number.isInteger(value.places) && Array.isArray(value.importedBy);
}

/** Where the element's component is used: the first call site outwards that another component holds. */
async function siteOf(
  element: Element,
  { file: own, component }: SourceLocation,
  resolve: Resolve,
): Promise<Usage['site'] | undefined> {
  const places = await resolve(readSource(element)?.places ?? []).catch(() => []);
  const isOwn = (place: Resolved | null) => !!place?.file && !place.package;
  const callSites = places.slice(places.findIndex(isOwn) + 1).filter(isOwn);
  const site = callSites.find((place) => place?.file !== own || place.component !== component);
  return site ? { file: site.file, line: site.line, column: site.column } : undefined;
}
