import { attempt } from './basics';
import { TAG } from './ui/host';

/** Runs once per tab: not when loaded twice, and not in frames of a page that has Pageside itself. */
export function whenMine(run: () => void): void {
  if (customElements.get(TAG)) return;
  const outer = attempt(() => sameOriginParent(), null);
  if (!outer) return run();
  const unlessThere = () => {
    if (!outer.customElements.get(TAG)) run();
  };
  if (outer.document.readyState === 'complete') unlessThere();
  else outer.addEventListener('load', unlessThere, { once: true });
}

function sameOriginParent(): (Window & typeof globalThis) | null {
  const { parent } = window;
  // Throws for a parent of another origin, which cannot hold our overlay.
  return parent !== window && parent.document ? (parent as Window & typeof globalThis) : null;
}
