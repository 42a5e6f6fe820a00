import { clip } from '../basics';
import { type InspectionItem, limits } from '../protocol';

const TEXT_CHARS = 2000;
const SHORT_CHARS = 100;
/** Another language's JSON has blanks where ours has none. */
const SPARE_BYTES = 4096;
/** The least telling first. */
const DETAILS = 'html textContent attributes styles computedStyles stack elements'.split(' ');

/** The item as the companion takes it: too long texts are cut, too much detail is left out. */
export function fitted(item: InspectionItem): InspectionItem {
  const copy = structuredClone(item);
  for (const name of ['selector', 'url', 'title'] as const)
    copy[name] = clip(copy[name], TEXT_CHARS);
  const { sourceInfo, area } = copy;
  for (const name of DETAILS) {
    if (new Blob([JSON.stringify(copy)]).size < limits.itemBytes - SPARE_BYTES) break;
    for (const owner of [sourceInfo.elementInfo, sourceInfo, area]) shorten(owner ?? {}, name);
  }
  return copy;
}

function shorten(owner: object, name: string): void {
  const value: unknown = Reflect.get(owner, name);
  if (value)
    Reflect.set(owner, name, typeof value === 'string' ? clip(value, SHORT_CHARS) : undefined);
}
