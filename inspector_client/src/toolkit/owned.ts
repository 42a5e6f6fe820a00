import { presenceOf, referenced } from './tree';

/** What `aria-owns` moves to another place in the tree. */
export interface Owned {
  /** Reads the attributes of one tree; again for every shadow root. */
  read(root: ParentNode): void;
  /** True if the element is told of elsewhere. */
  isMoved(element: Element): boolean;
  of(owner: Element): readonly Element[];
}

const NONE: readonly Element[] = [];

export function createOwned(): Owned {
  const byOwner = new Map<Element, Element[]>();
  const moved = new Set<Element>();
  return {
    read(root) {
      for (const owner of root.querySelectorAll('[aria-owns]')) {
        if (byOwner.has(owner) || presenceOf(owner) !== 'shown') continue;
        const taken = referenced(owner, 'aria-owns').filter(
          (element) => !moved.has(element) && !element.contains(owner),
        );
        byOwner.set(owner, taken);
        for (const element of taken) moved.add(element);
      }
    },
    isMoved: (element) => moved.size > 0 && moved.has(element),
    of: (owner) => (byOwner.size ? (byOwner.get(owner) ?? NONE) : NONE),
  };
}
