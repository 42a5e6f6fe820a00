// A look through the whole page, in pieces: the page goes on in between.
import { innerRoot } from '../element/deep';

/** A page that is larger is not looked through to its end. */
const MAX_ELEMENTS = 50_000;
const MAX_MS = 500;
/** What the page does not notice. */
const PIECE_MS = 12;
const FRAMES = /^i?frame$/;

/** What fits, as far as a bounded look through the page finds it, in document order. */
export async function search(fits: (element: Element) => boolean): Promise<Element[]> {
  const found: Element[] = [];
  let count = 0;
  let spent = 0;
  let since = performance.now();
  for (const element of everyElement(document)) {
    if (fits(element)) found.push(element);
    count += 1;
    if (count % 32 > 0) continue;
    const piece = performance.now() - since;
    if (count > MAX_ELEMENTS || spent + piece > MAX_MS) break;
    if (piece < PIECE_MS) continue;
    spent += piece;
    await othersTurn();
    since = performance.now();
  }
  return found.filter(({ isConnected }) => isConnected);
}

/** Timers of hidden pages wait for seconds, messages do not. */
function othersTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Through open shadow roots and frames. */
export function* everyElement(root: ParentNode): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    // Of most elements it is clear at once that nothing is inside.
    const inner =
      element.shadowRoot ?? (FRAMES.test(element.localName) ? innerRoot(element) : null);
    if (inner) yield* everyElement(inner);
  }
}
