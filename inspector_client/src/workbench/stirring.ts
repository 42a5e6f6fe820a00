import { hostOf } from '../element/deep';

/** Something that must follow the page: called with every frame for as long as anything moves, and never else. */
export interface Stirring {
  start(): void;
  stop(): void;
  /** Something may have moved. */
  stir(): void;
  /** What happens in the shadow roots and frames around these counts as well. */
  watch(elements: Element[]): void;
}

/** So long nothing has to have moved: what starts slowly, or after a frame, is not missed. */
const STILL_FRAMES = 10;
const MOVES = 'scroll resize load transitionrun animationstart toggle'.split(' ');
const LISTENING = { capture: true, passive: true };
const ALL = { subtree: true, childList: true, characterData: true, attributes: true };

/** `follow` returns whether it found anything moved; `mutated` is told of changes to the document. */
export function createStirring(follow: () => boolean, mutated: () => void): Stirring {
  let frame = 0;
  let still = 0;
  let isRunning = false;
  let inner = new Set<Node>();
  const observer = new MutationObserver(() => {
    mutated();
    stir();
  });
  const sizes = new ResizeObserver(stir);

  function stir(): void {
    still = 0;
    if (isRunning) frame ||= requestAnimationFrame(step);
  }
  function step(): void {
    still = follow() ? 0 : still + 1;
    frame = still < STILL_FRAMES ? requestAnimationFrame(step) : 0;
  }
  function listen(target: EventTarget): void {
    for (const type of MOVES) target.addEventListener(type, stir, LISTENING);
  }
  function enter(root: Node): void {
    listen(root);
    observer.observe(root, ALL);
  }
  return {
    stir,
    start() {
      isRunning = true;
      listen(window);
      for (const root of [document, ...inner]) observer.observe(root, ALL);
      sizes.observe(document.documentElement);
      if (document.body) sizes.observe(document.body);
      stir();
    },
    stop() {
      isRunning = false;
      for (const type of MOVES) removeEventListener(type, stir, LISTENING);
      observer.disconnect();
      sizes.disconnect();
      cancelAnimationFrame(frame);
      frame = 0;
    },
    watch(elements) {
      // One that has lost its element may get it back.
      const kept = [...inner].filter((root) => hostOf(root)?.isConnected);
      const now = new Set([...kept, ...elements.flatMap(rootsOf)]);
      for (const root of now) if (!inner.has(root)) enter(root);
      for (const root of inner)
        if (!now.has(root))
          for (const type of MOVES) root.removeEventListener(type, stir, LISTENING);
      inner = now;
    },
  };
}

/** The shadow roots and documents of frames that an element is in; what happens there, the page's window does not hear. */
function rootsOf(element: Element): Node[] {
  const root = element.getRootNode();
  const host = hostOf(root);
  return host ? [root, ...rootsOf(host)] : [];
}
