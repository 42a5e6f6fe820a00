import { clip } from '../basics';
import { type InspectionItem, limits } from '../protocol';

const TEXT_CHARS = 2000;
const SHORT_CHARS = 100;
/** Another language's JSON has blanks where ours has none. */
const SPARE_BYTES = 4096;

/** The item as the companion takes it: too long texts are cut, too much detail is left out, the least telling first. */
export function fitted(item: InspectionItem): InspectionItem {
  const copy = structuredClone(item);
  const { sourceInfo, area = {} } = copy;
  const { elementInfo = {} }: { elementInfo?: object } = sourceInfo;
  for (const name of ['selector', 'url', 'title'] as const)
    copy[name] = clip(String(copy[name]), TEXT_CHARS);
  const details: [object, string][] = [
    ...['html', 'textContent', 'attributes', 'styles', 'computedStyles'].map(
      (name): [object, string] => [elementInfo, name],
    ),
    [sourceInfo, 'stack'],
    [area, 'elements'],
  ];
  for (const [owner, name] of details) {
    if (new Blob([JSON.stringify(copy)]).size < limits.itemBytes - SPARE_BYTES) break;
    const value: unknown = Reflect.get(owner, name);
    Reflect.set(owner, name, typeof value === 'string' ? clip(value, SHORT_CHARS) : undefined);
  }
  return copy;
}
