// What the overlay shows of a place's reach. Comes with the details, so it listens by what the overlay hands it.

import { boxOf } from '../element/deep';
import type { Usage } from '../protocol';
import { shortSummary } from '../source/usage-summary';
import { covering } from './box';
import { h, type textButton } from './dom';
import { usageTexts } from './texts';

/** More boxes than that say nothing more. */
const MAX_BOXES = 300;
/** Elements that are looked at for each frame, besides those that are marked: of thousands some come a moment later. */
const LOOKED_AT = 300;

/** A quiet line; with others of its kind on the page, its end is a button that marks them all, and follows them. */
export function createReach(
  usage: Usage,
  instances: () => Promise<Element[]>,
  button: typeof textButton,
): HTMLElement {
  const [files, page] = shortSummary(usage);
  const layer = h('div', { 'aria-hidden': true });
  const boxes: HTMLElement[] = [];
  const toggle = button(page, () => void press(), 'link');
  toggle.ariaLabel = `${page}: ${usageTexts.mark}`;
  toggle.ariaPressed = 'false';
  const hasOthers = usage.instances > 1;

  const isShown = () => toggle.ariaPressed === 'true' && toggle.getClientRects().length > 0;
  function clear() {
    toggle.ariaPressed = 'false';
    layer.remove();
  }
  async function press() {
    if (toggle.ariaPressed === 'true') return clear();
    toggle.ariaPressed = 'true';
    const elements = await instances();
    // Behind the overlay's own parts.
    if (isShown()) (toggle.getRootNode() as ShadowRoot).prepend(layer);
    follow(elements);
  }
  /** For as long as the line is there to be seen: with Esc, or a new pick, it goes. */
  function follow(elements: Element[], marked: Element[] = [], from = 0) {
    if (!isShown()) return clear();
    const next = elements.slice(from, from + LOOKED_AT);
    const seen = [...new Set([...marked, ...next])].filter(isInView).slice(0, MAX_BOXES);
    while (boxes.length < seen.length) boxes.push(layer.appendChild(h('div', 'box')));
    boxes.forEach((box, index) => void draw(box, seen[index]));
    const after = from + LOOKED_AT < elements.length ? from + LOOKED_AT : 0;
    requestAnimationFrame(() => follow(elements, seen, after));
  }
  return h('span', { title: usage.summary }, files, hasOthers ? toggle : page);
}

function isInView(element: Element): boolean {
  const { x, y, width, height } = boxOf(element);
  const isThere = element.isConnected && width > 0 && height > 0;
  return isThere && x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;
}

function draw(box: HTMLElement, around: Element | undefined): void {
  box.hidden = !around;
  if (around) box.style.cssText = covering(boxOf(around));
}
