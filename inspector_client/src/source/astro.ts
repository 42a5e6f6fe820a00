import { notedFor } from './noted';
import { stemOf } from './owners';
import type { RawSource, SourceReader } from './raw';

const FILE = 'data-astro-source-file';
const PLACE = 'data-astro-source-loc';

type Noted = Record<string, string>;

/** What Astro's dev server writes into the HTML of its own elements; those in islands have their own frameworks. */
export const astro: SourceReader = { name: 'astro', read };

function read(element: Element): RawSource | null {
  const noted = notes(element)?.get(element);
  const file = element.getAttribute(FILE) ?? noted?.[FILE];
  const [line, column] = (element.getAttribute(PLACE) ?? noted?.[PLACE] ?? '').split(':');
  if (!file || !line || !column) return null;
  const place = { file, line: +line, column: +column, tag: element.localName, via: PLACE };
  return { framework: 'astro', places: [place], owners: [stemOf(file) ?? ''] };
}

/** What the plugin noted when the dev toolbar took the attributes off. */
function notes(element: Element): WeakMap<Element, Noted> | undefined {
  return notedFor<{ noted: WeakMap<Element, Noted> }>(element, 'astro')?.noted;
}
