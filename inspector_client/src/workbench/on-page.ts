import { clip } from '../basics';
import { boxOf } from '../element/deep';
import type { SeenItem } from '../queue/entry';
import { listen } from '../ui/listen';
import type { WorkbenchParts } from '../workbench';
import type { Drawn, SketchLayer } from './sketch/layer';
import { isHere } from './standing';
import { type Target, targetOf } from './targets';
import { queueTexts } from './texts';

const SHOWN_MS = 2500;
const WORDS_CHARS = 80;

type Parts = Pick<WorkbenchParts, 'host' | 'queue' | 'picking' | 'highlight' | 'toasts'>;

export interface OnPage {
  /** Scrolls to the element of an inspection, and shows for a moment which it is. */
  find(id: string): void;
  /** Shows the element of the inspection that the pointer is on. */
  follow(idAt: (event: Event) => string | undefined): void;
}

/** From an inspection in the panel to its element on the page. */
export function createOnPage(
  { host, queue, picking, highlight, toasts }: Parts,
  sketches: SketchLayer,
): OnPage {
  let drawn: Drawn | undefined;
  let hovered: string | undefined;
  let isOurs = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const itemOf = (id: string) => queue.items().find((item) => item.id === id);
  // While somebody picks or writes, the highlight is his.
  const isFree = () => picking.turn.value.who === 'nobody';

  function mark({ element }: Target, { sourceInfo, description, sketch }: SeenItem): void {
    if (!isFree()) return;
    const words = clip(description, WORDS_CHARS);
    highlight.element(element, element.localName, sourceInfo.component, words);
    const box = () => (element.isConnected ? boxOf(element) : null);
    drawn?.remove();
    if (sketch) drawn = sketches.draw(box, sketch);
    isOurs = true;
  }
  function unmark(): void {
    clearTimeout(timer);
    drawn?.remove();
    if (isOurs && isFree()) highlight.hide();
    isOurs = false;
  }
  async function hover(id: string | undefined): Promise<void> {
    if (id === hovered) return;
    hovered = id;
    unmark();
    const item = id && itemOf(id);
    if (!item || !isFree() || !isHere(item.url)) return;
    const target = await targetOf(item);
    if (target && hovered === id) mark(target, item);
  }
  async function find(id: string): Promise<void> {
    const item = itemOf(id);
    if (!item) return;
    if (!isHere(item.url)) return toasts.show(`${queueTexts.elsewhere} ${item.url}`);
    const target = await targetOf(item);
    if (!target) return toasts.show(queueTexts.lost);
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const behavior = isCalm ? 'auto' : 'smooth';
    target.element.scrollIntoView({ block: 'center', inline: 'nearest', behavior });
    if (!target.isExact) toasts.show(queueTexts.approximate);
    unmark();
    mark(target, item);
    timer = setTimeout(unmark, SHOWN_MS);
  }
  queue.changed.on(() => {
    if (hovered && !itemOf(hovered)) void hover(undefined);
  });
  picking.turn.watch(() => {
    drawn?.remove();
    hovered = undefined;
    isOurs = false;
  });
  return {
    find: (id) => void find(id),
    follow: (idAt) =>
      listen(host.root, {
        pointermove: (event) => void hover(idAt(event)),
        // Inside the overlay it does not come as far as this.
        pointerout: () => void hover(undefined),
      }),
  };
}
