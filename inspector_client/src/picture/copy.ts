import { createContext, domToCanvas, type Options } from 'modern-screenshot';

/** At a stretch. */
const BUSY_MS = 40;

/** Draws a copy of the element. The page's own tree is left alone: what is needed beside it lies in our `host`. */
export async function drawCopy(
  element: Element,
  host: Element,
  options: Options,
  onEachNode: (clone: Node) => void,
): Promise<HTMLCanvasElement> {
  const sandbox = await openSandbox(host.shadowRoot ?? document.body);
  try {
    const onCloneEachNode = breathing(onEachNode);
    const context = await createContext(element, {
      ...options,
      onCloneEachNode,
      autoDestruct: true,
    });
    // The library's own one is replaced by the browser while it is in use.
    context.sandbox = sandbox;
    return await domToCanvas(context);
  } finally {
    sandbox.remove();
  }
}

/** An empty document, to see how elements look that nobody styled. */
function openSandbox(place: ShadowRoot | HTMLElement): Promise<HTMLIFrameElement> {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.style.cssText = 'position:fixed;visibility:hidden;width:0;height:0;border:0';
    frame.addEventListener('load', () => resolve(frame), { once: true });
    frame.srcdoc = '<!doctype html><title></title><body>';
    place.append(frame);
  });
}

/** The user wants to type his note meanwhile. */
function breathing(work: (clone: Node) => void): (clone: Node) => void | Promise<void> {
  let since = performance.now();
  return (clone) => {
    work(clone);
    if (performance.now() - since < BUSY_MS) return;
    return new Promise((resolve) => {
      setTimeout(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
