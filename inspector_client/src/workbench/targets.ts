import { type InspectionItem, pageSymbol } from '../protocol';
import { find, type Wanted } from '../source/refind';

/** Where an inspection's element is in this document. */
export interface Target {
  element: Element;
  /** Surely the one that was picked. */
  isExact: boolean;
}

export interface Targets {
  /** As far as it is known. */
  of(id: string): Target | null;
  /** Looked for at least once. */
  isKnown(id: string): boolean;
  /** Forgets all others. */
  keep(ids: ReadonlySet<string>): void;
  /** Looks for those that are not surely known, for a bounded time; tells whether it found anything new. */
  look(items: InspectionItem[]): Promise<boolean>;
}

/** A lost element may cost a look through the whole page. */
const BUDGET_MS = 200;

export function createTargets(): Targets {
  /** The one that was looked for the longest ago comes first. */
  const found = new Map<string, Target | null>();

  function of(id: string): Target | null {
    const target = found.get(id);
    return target?.element.isConnected ? target : null;
  }
  async function lookFor(item: InspectionItem): Promise<boolean> {
    const [before, after] = [of(item.id), await targetOf(item)];
    found.delete(item.id);
    found.set(item.id, after);
    return before?.element !== after?.element || before?.isExact !== after?.isExact;
  }
  return {
    of,
    isKnown: (id) => found.has(id),
    keep(ids) {
      for (const id of found.keys()) if (!ids.has(id)) found.delete(id);
    },
    async look(items) {
      const since = performance.now();
      const age = new Map([...found.keys()].map((id, index) => [id, index + 1]));
      const ageOf = ({ id }: InspectionItem) => age.get(id) ?? 0;
      const unsure = items.filter(({ id }) => !of(id)?.isExact);
      let isNew = false;
      for (const item of unsure.sort((a, b) => ageOf(a) - ageOf(b))) {
        isNew = (await lookFor(item)) || isNew;
        if (performance.now() - since > BUDGET_MS) break;
      }
      return isNew;
    },
  };
}

/** Null when it is gone. */
export async function targetOf(item: InspectionItem): Promise<Target | null> {
  const how = await find(wantedOf(item), Reflect.get(globalThis, Symbol.for(pageSymbol)));
  return how.found === 'lost' ? null : { element: how.element, isExact: how.found === 'placed' };
}

/** An area has no element of its own: the first of those in it stands for it. */
function wantedOf({ elementId, selector, sourceInfo, area }: InspectionItem): Wanted {
  const first = area?.elements[0];
  if (first && first.selector !== selector) return { selector: first.selector, tag: first.tag };
  const { elementInfo } = sourceInfo;
  return {
    elementId,
    selector,
    tag: elementInfo?.tagName,
    text: elementInfo?.textContent,
    role: elementInfo?.role ?? undefined,
    name: elementInfo?.name,
  };
}
