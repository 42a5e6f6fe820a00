export interface Uids {
  /** `<document>_<n>`: the same for as long as the element lives, wherever it is moved to. */
  uid(element: Element): string;
  /** The element of a uid; null if it is gone, or no longer in a document. */
  element(uid: string): Element | null;
}

/** Names for the elements of one document and its same-origin frames; nothing of them is in the page. */
export function createUids(doc: number): Uids {
  const uids = new WeakMap<Element, string>();
  const elements = new Map<string, WeakRef<Element>>();
  const gone = new FinalizationRegistry<string>((uid) => elements.delete(uid));
  let count = 0;
  return {
    uid(element) {
      const known = uids.get(element);
      if (known) return known;
      count += 1;
      const uid = `${doc}_${count}`;
      uids.set(element, uid);
      elements.set(uid, new WeakRef(element));
      gone.register(element, uid);
      return uid;
    },
    element(uid) {
      const element = elements.get(uid)?.deref();
      // The document of a frame that is gone keeps its elements.
      return element?.isConnected && element.ownerDocument.defaultView ? element : null;
    },
  };
}
