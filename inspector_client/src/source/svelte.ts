import type { Place } from '../protocol';
import { notedFor } from './noted';
import { stemOf } from './owners';
import { MAX_OWNERS, type RawSource, type SourceReader } from './raw';

/** Lines from 1, columns from 0, files relative to the folder that the dev server runs in. */
interface Spot {
  file: string;
  line: number;
  column: number;
}

/** What was being rendered when an element was made: a component's tag, or a block such as `each` or `render`. */
export interface Entry extends Spot {
  type: string;
  componentTag?: string;
  parent?: Entry | null;
}

export const svelte: SourceReader = {
  name: 'svelte',
  read,
  placeOf(element) {
    const meta: { loc?: Spot } | null = Reflect.get(element, '__svelte_meta');
    return meta?.loc ? placesOf(element)(meta.loc, element.localName) : null;
  },
};

function read(element: Element): RawSource | null {
  const meta: { loc?: Spot; parent?: Entry | null } | null = Reflect.get(element, '__svelte_meta');
  if (!meta?.loc) return null;
  const placeOf = placesOf(element);
  const sites = callSites(meta.loc.file, meta.parent ?? null);
  return {
    framework: 'svelte',
    places: [
      placeOf(meta.loc, element.localName),
      ...sites.map((site) => placeOf(site, site.componentTag ?? '')),
    ],
    owners: [meta.loc, ...sites].map(({ file }) => componentName(file)),
  };
}

/** With the version of each file that the page has, which the plugin's addition to each component tells. */
function placesOf(element: Element): (spot: Spot, tag: string) => Place {
  const kept = notedFor<Record<string, string>>(element, 'svelte');
  return ({ file, line, column }, tag) => {
    const told = kept?.[file];
    const version = told === undefined ? {} : { version: told.slice('?t='.length) };
    return { file, line, column: column + 1, base: 'cwd', ...version, tag, via: '__svelte_meta' };
  };
}

/**
 * The tags that made the component of a file, its owner, and so on. Owners are those whose templates hold each other:
 * entries between a snippet's rendering and the component that it was given to belong to others.
 */
export function callSites(file: string, innermost: Entry | null): Entry[] {
  const sites: Entry[] = [];
  let own = file;
  let elsewhere = false;
  for (let at: Entry | null = innermost; at && sites.length < MAX_OWNERS; at = at.parent ?? null) {
    if (at.type === 'render' && at.file !== own) elsewhere = true;
    if (at.type !== 'component') continue;
    if (at.file === own && !isItself(at)) {
      elsewhere = false;
    } else if (!elsewhere) {
      sites.push(at);
      own = at.file;
    }
  }
  return sites;
}

/** A recursive component; any other that is used in the same file was given a slot or a snippet. */
function isItself({ file, componentTag = '' }: Entry): boolean {
  return componentTag === 'svelte:self' || componentTag === componentName(file);
}

export function componentName(file: string): string {
  return stemOf(file) ?? file;
}
