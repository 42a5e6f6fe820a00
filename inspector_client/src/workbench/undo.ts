import type { Queue, Removed } from '../queue/queue';
import { h, textButton } from '../ui/dom';
import { texts } from '../ui/texts';
import { queueTexts } from './texts';

export interface Undo {
  readonly element: HTMLElement;
  /** Brings back what was deleted last, as long as it is not too late; false: there is nothing. */
  undo(): boolean;
}

/** For what was deleted last, in whichever tab: there for as long as it can be undone. */
export function createUndo(queue: Pick<Queue, 'removed' | 'withdraw' | 'changed'>): Undo {
  const words = h('span', 'grow');
  const toast = h('div', 'toast row', words, textButton(queueTexts.undo, undo, 'primary'));
  const element = h('div');
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** What was deleted in one go comes back in one go. */
  function latest(): Removed[] {
    const all = queue.removed();
    const at = Math.max(...all.map((one) => one.at));
    return all.filter((one) => one.at === at);
  }
  function undo(): boolean {
    const removed = latest();
    queue.withdraw(removed.map(({ change }) => change));
    draw();
    return removed.length > 0;
  }
  function draw(): void {
    const removed = latest();
    const [first] = removed;
    clearTimeout(timer);
    if (!first) {
      toast.remove();
      return;
    }
    if (!toast.parentNode) element.append(toast);
    const { description } = first.item;
    const text =
      removed.length > 1
        ? queueTexts.removedMany(removed.length)
        : queueTexts.removed(description || queueTexts.noWords);
    if (words.textContent !== text) words.textContent = text;
    // This one says it as well.
    const { previousElementSibling: other } = element;
    if (other?.textContent === texts.deleted) other.remove();
    timer = setTimeout(draw, first.due - Date.now());
  }
  draw();
  queue.changed.on(draw);
  return { element, undo };
}
