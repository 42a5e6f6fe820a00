import { clip } from '../basics';
import { type InspectionItem, limits } from '../protocol';

const TEXT_CHARS = 2000;
/** Another language's JSON has blanks where ours has none. */
const SPARE_BYTES = 4096;
/** The least telling first. */
const DETAILS =
  'html textContent attributes styles computedStyles state props handlers stack elements replies'.split(
    ' ',
  );

/** The item as the companion takes it: too long texts are cut, too much detail is left out. */
export function fitted(item: InspectionItem): InspectionItem {
  const copy = structuredClone(item);
  for (const name of ['selector', 'url', 'title'] as const)
    copy[name] = clip(copy[name], TEXT_CHARS);
  const { sourceInfo, area } = copy;
  for (const name of DETAILS) {
    if (new Blob([JSON.stringify(copy)]).size < limits.itemBytes - SPARE_BYTES) break;
    for (const owner of [sourceInfo.elementInfo, sourceInfo, area, copy])
      if (owner) Reflect.deleteProperty(owner, name);
  }
  return copy;
}
