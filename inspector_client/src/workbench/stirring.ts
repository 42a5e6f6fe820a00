/** Something that must follow the page: called with every frame for as long as anything moves, and never else. */
export interface Stirring {
  start(): void;
  stop(): void;
  /** Something may have moved. */
  stir(): void;
}

/** So long nothing has to have moved: what starts slowly, or after a frame, is not missed. */
const STILL_FRAMES = 10;
const MOVES = 'scroll resize load transitionrun animationstart toggle'.split(' ');

/** `follow` returns whether it found anything moved; `mutated` is told of changes to the document. */
export function createStirring(follow: () => boolean, mutated: () => void): Stirring {
  let frame = 0;
  let still = 0;
  const observer = new MutationObserver(() => {
    mutated();
    stir();
  });
  const sizes = new ResizeObserver(stir);

  function stir(): void {
    still = 0;
    frame ||= requestAnimationFrame(step);
  }
  function step(): void {
    still = follow() ? 0 : still + 1;
    frame = still < STILL_FRAMES ? requestAnimationFrame(step) : 0;
  }
  const options = { capture: true, passive: true };
  return {
    stir,
    start() {
      for (const type of MOVES) addEventListener(type, stir, options);
      observer.observe(document, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
      sizes.observe(document.documentElement);
      if (document.body) sizes.observe(document.body);
      stir();
    },
    stop() {
      for (const type of MOVES) removeEventListener(type, stir, options);
      observer.disconnect();
      sizes.disconnect();
      cancelAnimationFrame(frame);
      frame = 0;
    },
  };
}
