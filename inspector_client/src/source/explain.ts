import { attempt } from '../basics';
import type { SourceLocation } from '../protocol';

/** Something more to know of an element; `located` is where it is written. */
export type Part = (element: Element, located: SourceLocation) => Promise<Partial<SourceLocation>>;

/** A page that is busy gets its answer without what takes longer. */
const PART_MS = 3000;

/** The place, and what each part adds to it; a part that fails or takes too long adds nothing. */
export function createExplainer(
  locate: (element: Element) => Promise<SourceLocation>,
  parts: Part[],
): (element: Element) => Promise<SourceLocation> {
  return async (element) => {
    const located = await locate(element);
    const added = parts.map((part) => inTime(attempt(() => part(element, located))));
    return Object.assign({}, located, ...(await Promise.all(added)));
  };
}

async function inTime<T extends object>(found: Promise<T> | undefined): Promise<T | object> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<object>((resolve) => {
    timer = setTimeout(resolve, PART_MS, {});
  });
  const none = () => ({});
  return Promise.race([found?.catch(none) ?? {}, late]).finally(() => clearTimeout(timer));
}
