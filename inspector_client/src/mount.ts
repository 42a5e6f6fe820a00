import { attempt } from './basics';
import { OVERLAY_TAG } from './element/deep';

/** Runs once per tab: not when loaded twice, and not in frames of a page that has Pageside itself. */
export function whenMine(run: () => void): void {
  const outer = attempt(sameOriginParent, null);
  const isThere = () => customElements.get(OVERLAY_TAG) || outer?.customElements.get(OVERLAY_TAG);
  const unlessThere = () => {
    if (!isThere()) run();
  };
  if (outer && outer.document.readyState !== 'complete')
    outer.addEventListener('load', unlessThere, { once: true });
  else unlessThere();
}

function sameOriginParent(): (Window & typeof globalThis) | null {
  const { parent } = window;
  // Throws for a parent of another origin, which cannot hold our overlay.
  return parent !== window && parent.document ? (parent as Window & typeof globalThis) : null;
}
