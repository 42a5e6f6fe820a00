// Scrolling as a wheel over the middle of the page, or over an element, would do it; at once.

import { parentOf } from '../element/deep';
import { elementAt } from '../element/hit';

export interface Scrolled {
  /** CSS px, negative upwards. */
  moved: number;
  /** How much there is to scroll above and below now. */
  above: number;
  below: number;
}

const SCREENFUL = 0.8;
/** So long a page that has no more to scroll may take to bring more. */
const GROWS_MS = 800;

/** `amount` in CSS px, 0: most of a screen; `down` 1 or -1. */
export async function scrollView(
  given: Element | null,
  down: 1 | -1,
  amount: number,
): Promise<Scrolled> {
  const start = given ?? elementAt(innerWidth / 2, innerHeight / 2, document.documentElement);
  const view = scrollerFrom(start, down) ?? document.scrollingElement ?? document.documentElement;
  const from = view.scrollTop;
  const by = amount || Math.round(view.clientHeight * SCREENFUL);
  view.scrollBy({ top: by * down, behavior: 'instant' });
  const moved = Math.round(view.scrollTop - from);
  if (moved > 0 && !roomBelow(view)) await growth(view);
  return { moved, above: Math.round(view.scrollTop), below: roomBelow(view) };
}

const roomBelow = (view: Element): number =>
  Math.max(0, Math.round(view.scrollHeight - view.clientHeight - view.scrollTop));

/** What brings more when its end is seen has brought it, or time is over. */
const growth = (view: Element): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      changes.disconnect();
      clearTimeout(timer);
      done();
    };
    const changes = new MutationObserver(() => roomBelow(view) && end());
    changes.observe(view, { childList: true, subtree: true, attributes: true });
    const timer = setTimeout(end, GROWS_MS);
  });

/** The innermost one around it that can go that way; a box at its end hands the wheel on. */
function scrollerFrom(start: Element, down: 1 | -1): Element | null {
  for (let element: Element | null = start; element; element = parentOf(element)) {
    if (canScroll(element, down)) return element;
  }
  return null;
}

function canScroll(element: Element, down: 1 | -1): boolean {
  const room = element.scrollHeight - element.clientHeight;
  if (room < 1 || !element.clientHeight) return false;
  const { scrollingElement } = element.ownerDocument;
  const { overflowY } = getComputedStyle(element);
  const isView = element === scrollingElement;
  if (isView ? overflowY === 'hidden' : !/^(auto|scroll)$/.test(overflowY)) return false;
  return down > 0 ? element.scrollTop < room - 1 : element.scrollTop > 1;
}
