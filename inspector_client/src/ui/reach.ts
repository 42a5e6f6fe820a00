// What the overlay shows of a place's reach. Comes with the details, so it listens by what the overlay hands it.
import { boxOf } from '../element/deep';
import type { Usage } from '../protocol';
import { shortSummary } from '../source/usage-summary';
import { h, type textButton } from './dom';
import { usageTexts } from './texts';

/** More boxes than that say nothing more. */
const MAX_BOXES = 300;

/** A quiet line; with others of its kind on the page, it is a button that marks them all, and follows them. */
export function createReach(
  usage: Usage,
  instances: () => Promise<Element[]>,
  button: typeof textButton,
): HTMLElement {
  const text = shortSummary(usage);
  if (usage.instances < 2) return h('span', { class: 'muted', title: usage.summary }, text);
  const layer = h('div', { 'aria-hidden': true });
  const toggle = button(text, () => void press(), 'small');
  toggle.title = usage.summary;
  toggle.ariaLabel = `${text}. ${usageTexts.mark}`;
  toggle.ariaPressed = 'false';

  function clear(): void {
    toggle.ariaPressed = 'false';
    layer.remove();
  }
  async function press(): Promise<void> {
    if (toggle.ariaPressed === 'true') return clear();
    toggle.ariaPressed = 'true';
    const elements = await instances();
    // Behind the overlay's own parts.
    (toggle.getRootNode() as ShadowRoot).prepend(layer);
    follow(elements);
  }
  /** For as long as the line is there to be seen: with Esc, or a new pick, it goes. */
  function follow(elements: Element[]): void {
    if (toggle.ariaPressed !== 'true') return;
    if (!toggle.checkVisibility()) clear();
    else {
      layer.replaceChildren(
        ...elements
          .map(boxAround)
          .filter((box) => box !== null)
          .slice(0, MAX_BOXES),
      );
      requestAnimationFrame(() => follow(elements));
    }
  }
  return toggle;
}

/** Null for what cannot be seen now. */
function boxAround(element: Element): HTMLElement | null {
  const { x, y, width, height } = boxOf(element);
  const inView = x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;
  if (!element.isConnected || !width || !height || !inView) return null;
  const box = h('div', 'box');
  box.style.cssText = `transform:translate(${x}px,${y}px);width:${width}px;height:${height}px`;
  return box;
}
