import type { Usage } from '../protocol';

export type Known = Pick<Usage, 'instances' | 'places' | 'modules' | 'site'> & {
  /** False: nobody can tell how often the component is used. */
  counted: boolean;
  importers: number;
};

const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** All of it in a sentence, for agents. */
export function summaryOf({ instances, site, ...known }: Known): string {
  const onPage = `${many(instances, 'element')} on this page`;
  const where = site ? `; the usage site is ${site.file}:${site.line}` : '';
  return `${[reachOf(known), onPage].filter(Boolean).join(', ')}${where}.`;
}

function reachOf({
  counted,
  places,
  modules,
  importers,
}: Omit<Known, 'instances' | 'site'>): string {
  if (places > 1) return `Shared by ${many(places, 'place')} in ${many(modules, 'module')}`;
  if (places === 1) return 'Used in 1 place';
  // A page, or what it loads itself: nothing more is to be said of it.
  if (!counted && importers === 0) return '';
  const imported = importers ? `Imported by ${many(importers, 'module')}` : 'Imported by no module';
  return counted ? `${imported}, with no use to be found` : `${imported}, uses not counted`;
}

/** The same for people, as short as can be: in the files, and on the page. */
export function shortSummary({ instances, places, modules }: Usage): [files: string, page: string] {
  const files = places ? `${many(places, 'place')} · ${many(modules, 'module')} · ` : '';
  return [files, `${instances} on this page`];
}
