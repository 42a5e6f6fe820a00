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
  /** Looks for those that are not known or have left the document; tells whether it found anything new. */
  look(items: InspectionItem[]): Promise<boolean>;
}

export function createTargets(): Targets {
  const found = new Map<string, Target | null>();

  function of(id: string): Target | null {
    const target = found.get(id);
    return target?.element.isConnected ? target : null;
  }
  return {
    of,
    async look(items) {
      let isNew = false;
      const ids = new Set(items.map(({ id }) => id));
      for (const id of found.keys()) if (!ids.has(id)) isNew = found.delete(id) || isNew;
      for (const item of items) {
        if (of(item.id)) continue;
        const target = await targetOf(item);
        isNew ||= !!target || !!found.get(item.id);
        found.set(item.id, target);
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
