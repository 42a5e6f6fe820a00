// Pageside's own overlay: no part of the page, and the user's alone. No input of an agent may answer for the user there.
import { attempt } from '../basics';
import { hostOf, OVERLAY_TAG } from '../element/deep';
import { isTextField } from '../gate';

const LETTER = /^(shift\+)?[a-z]$/i;
const PICKS = 'the user is pointing at an element in this page, which would take the event';
export const OWN = 'it belongs to Pageside’s overlay, which only the user may use';

export const isOverlay = (element: Element | null): boolean =>
  !!element &&
  (element.localName === OVERLAY_TAG ||
    isOverlay((element.getRootNode() as ShadowRoot).host ?? null));

/** Invisible, not hidden: a field of it that has the focus keeps it. */
export function hideOverlay(isHidden: boolean): void {
  for (const host of document.querySelectorAll(OVERLAY_TAG)) {
    // Its parts, for its own style is `:host`'s alone to say.
    for (const part of host.shadowRoot?.querySelectorAll<HTMLElement>(':host > *') ?? []) {
      if (isHidden) part.style.setProperty('opacity', '0', 'important');
      else part.style.removeProperty('opacity');
    }
  }
}

/** Why no input may go into the page now; '' if it may. */
export const takesInput = (): string => (isShown('.banner') ? PICKS : '');

/** Why the overlay would get a mouse event there (CSS px of this document); '' if it would not. */
export function takesPoint(x: number, y: number): string {
  const hit = document.elementFromPoint(x, y);
  return takesInput() || (isOverlay(hit) ? OWN : '');
}

/** Why the overlay would hear that key; '' if it would not. */
export function takesKey(key: string): string {
  let focus = document.activeElement;
  while (focus?.shadowRoot?.activeElement && !isOverlay(focus))
    focus = focus.shadowRoot.activeElement;
  if (isOverlay(focus)) return 'Pageside’s overlay has the keyboard, and only the user may use it';
  const isAnswer = LETTER.test(key) && isShown('.letter') && !isTextField(focus);
  return takesInput() || (isAnswer ? 'the user is asked to choose an element by its letter' : '');
}

/** Of the page around this document, as far as it can be seen. */
function isShown(part: string): boolean {
  const page = attempt(() => outermost(document)) ?? document;
  const root = page.getElementsByTagName(OVERLAY_TAG)[0]?.shadowRoot;
  return [...(root?.querySelectorAll<HTMLElement>(part) ?? [])].some((each) =>
    each.checkVisibility(),
  );
}

function outermost(inner: Document): Document {
  const frame = hostOf(inner);
  return frame ? outermost(frame.ownerDocument) : inner;
}
