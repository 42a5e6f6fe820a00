import { aborted, createState, type State } from '../basics';
import { isTextField } from '../gate';
import { keysOf } from '../shortcuts';
import { h, iconButton } from '../ui/dom';
import type { WorkbenchParts } from '../workbench';
import type { RequestCard } from './request-card';
import { requestTexts } from './texts';

const BUBBLE = 'M3 4h14v10H9l-4 3v-3H3z';

export interface Requests {
  /** Shows the card at its turn; null when the user declines. Rejects with the signal's reason when it is withdrawn. */
  show<T>(card: RequestCard<T>, signal: AbortSignal): Promise<T | null>;
  /** How many cards there are, the one in sight included. */
  readonly waiting: State<number>;
}

/** Cards of agents: one at a time, in the order in which they came. They wait while the user points or writes a note. */
export function createRequests({
  host,
  picking,
  pageKeys,
  settings,
  add,
}: Pick<WorkbenchParts, 'host' | 'picking' | 'pageKeys' | 'settings' | 'add'>): Requests {
  // biome-ignore lint/suspicious/noExplicitAny: only who shows a card knows what answers it.
  const line: RequestCard<any>[] = [];
  const waiting = createState(0);
  const told = h('div', { class: 'unseen', role: 'status' });
  const count = h('span', 'count');
  const button = iconButton('', BUBBLE, () => line[0]?.focus(), '');
  let current: RequestCard<unknown> | null = null;
  button.append(count);
  host.root.querySelector('.bar')?.append(button);
  add(told);

  function next(): void {
    const first = (picking.turn.value.who === 'nobody' && line[0]) || null;
    if (first !== current) {
      current?.reveal(false);
      current = first;
      if (first) reveal(first);
    }
    for (const [index, card] of line.entries()) card.others(line.length - 1 - index);
    waiting.set(line.length);
  }
  function reveal(card: RequestCard<unknown>): void {
    card.reveal(true);
    const { answer } = settings.value.shortcuts;
    told.textContent = answer ? `${card.words} ${requestTexts.reach(answer)}` : card.words;
    // The page may have put something on top since; but whoever types in the overlay goes on typing.
    if (!host.root.activeElement) host.raise();
  }
  function leave(card: RequestCard<unknown>): void {
    card.reveal(false);
    card.element.remove();
    line.splice(line.indexOf(card), 1);
    if (!line.length) told.textContent = '';
    next();
  }

  waiting.watch((value) => {
    button.hidden = !value;
    button.ariaLabel = button.title = requestTexts.waiting(value);
    count.textContent = String(value);
  });
  picking.turn.watch(next);
  pageKeys.set((event) => {
    if (!current || event.type !== 'keydown' || isTextField(event.composedPath()[0])) return false;
    if (keysOf(event) !== settings.value.shortcuts.answer) return current.keys(event);
    current.focus();
    return true;
  });
  return {
    waiting,
    async show(card, signal) {
      signal.throwIfAborted();
      line.push(card);
      add(card.element);
      next();
      try {
        return await Promise.race([card.answer, aborted(signal)]);
      } finally {
        leave(card);
      }
    },
  };
}
