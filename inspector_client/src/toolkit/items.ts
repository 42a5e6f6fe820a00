/** One line of a snapshot, with what is in it. */
export interface Item {
  /** Null for plain text. */
  readonly element: Element | null;
  readonly role: string;
  /** Of plain text: the text. */
  name: string;
  /** Words after the name. */
  readonly states: readonly string[];
  /** True for what somebody can operate. */
  readonly acts: boolean;
  /** True for the frame of another origin, whose contents are elsewhere. */
  readonly isForeign: boolean;
  children: Item[];
}

/** Collects lines in reading order; adjacent text becomes one. */
export interface Flow {
  readonly items: Item[];
  text(data: string): void;
  /** The text before and after does not belong together. */
  break(): void;
  add(item: Item): void;
}

const OWN_GLYPHS = /[\uE000-\uF8FF]+/g;

export function createFlow(): Flow {
  const items: Item[] = [];
  let pending = '';
  function flush(): void {
    if (!pending) return;
    const name = pending.replace(OWN_GLYPHS, '').replace(/\s+/g, ' ').trim();
    pending = '';
    if (name) items.push(textItem(name));
  }
  return {
    items,
    text(data) {
      pending += data;
    },
    break: flush,
    add(item) {
      flush();
      items.push(item);
    },
  };
}

export const isPlain = (item: Item): boolean => item.element === null;

function textItem(name: string): Item {
  return { element: null, role: '', name, states: [], acts: false, isForeign: false, children: [] };
}
