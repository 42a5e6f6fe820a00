// Pageside's own overlay is no part of the page that a picture shows.
import { TAG } from '../ui/host';

/** Invisible, not hidden: a field of it that has the focus keeps it. */
export function hideOverlay(isHidden: boolean): void {
  for (const host of document.querySelectorAll(TAG)) {
    // Its parts, for its own style is `:host`'s alone to say.
    for (const part of host.shadowRoot?.querySelectorAll<HTMLElement>(':host > *') ?? []) {
      if (isHidden) part.style.setProperty('opacity', '0', 'important');
      else part.style.removeProperty('opacity');
    }
  }
}
