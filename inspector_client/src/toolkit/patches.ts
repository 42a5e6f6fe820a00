// Stands in for functions of the page for a while, and leaves what the page puts in their places meanwhile.
type Method = (this: never, ...args: never[]) => unknown;

interface Patch {
  readonly target: Record<string, unknown>;
  readonly name: string;
  readonly ours: unknown;
  readonly theirs: unknown;
}

export interface Patches {
  /** `make` gets the function that is there now, which may be the page's own stand-in. */
  replace(target: object, name: string, make: (theirs: Method) => Method): void;
  restore(): void;
}

export function createPatches(): Patches {
  let patches: Patch[] = [];
  return {
    replace(owner, name, make) {
      const target = owner as Record<string, unknown>;
      const theirs = target[name];
      if (typeof theirs !== 'function') return;
      const ours = make(theirs as Method);
      Object.defineProperty(ours, 'name', { value: theirs.name, configurable: true });
      Object.defineProperty(ours, 'length', { value: theirs.length, configurable: true });
      try {
        target[name] = ours;
      } catch {
        // The page has locked it: then it is not followed.
        return;
      }
      patches.push({ target, name, ours, theirs });
    },
    restore() {
      for (const { target, name, ours, theirs } of patches.reverse())
        if (target[name] === ours) target[name] = theirs;
      patches = [];
    },
  };
}
