import { button, h, setText } from '../../../ui/dom';
import { segments } from '../../../ui/segments';
import type { LogEntry, TabState } from '../shared/messages';
import { createConsoleLines } from '../ui/console-lines';
import type { Send } from '../ui/link';
import { type Part, section } from '../ui/part';
import { texts } from '../ui/texts';
import { createLevelFilter } from './level-filter';
import { createMaxLines } from './max-lines';
import { createPace } from './pace';

/** How near to the newest line still counts as looking at it. */
const EDGE_PX = 24;

export interface ConsoleView extends Part<TabState> {
  /** What the worker read. */
  hear(entries: LogEntry[]): void;
}

/** The page's console: filtered, in the order wanted, and still while the user reads. */
export function createConsoleView(send: Send): ConsoleView {
  const lines = createConsoleLines();
  const pace = createPace(() => send({ type: 'readConsole', max: most.value }));
  const most = createMaxLines(pace.ask);
  const filter = createLevelFilter(refresh);
  const count = h('span', 'hint');
  const empty = h('p', 'empty', texts.noLines);
  const scroller = h(
    'div',
    { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': texts.consoleLines },
    empty,
    lines.element,
  );
  const fresh = h(
    'button',
    { type: 'button', class: 'fresh primary small', hidden: true, onclick: catchUp },
    texts.newLines,
  );
  const isLive = h('input', { type: 'checkbox', onchange: () => isLive.checked && pace.ask() });
  isLive.checked = true;
  let isNewestFirst = true;
  let entries: LogEntry[] = [];
  let held: LogEntry[] | null = null;
  let counted = -1;
  let connectedAt: number | null = null;

  const distance = () =>
    isNewestFirst
      ? scroller.scrollTop
      : scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  const toNewest = () => {
    scroller.scrollTop = isNewestFirst ? 0 : scroller.scrollHeight;
  };

  function refresh(): void {
    const shown = lines.filter(filter.chosen);
    setText(count, entries.length ? texts.lines(shown, entries.length) : '');
    empty.hidden = shown > 0;
    setText(empty, entries.length ? texts.nothingFits : texts.noLines);
  }
  function show(next: LogEntry[]): void {
    held = null;
    fresh.hidden = true;
    entries = next;
    lines.update(next);
    refresh();
    toNewest();
  }
  function catchUp(): void {
    show(held ?? entries);
    toNewest();
    scroller.focus();
  }
  function scrolled(): void {
    if (held && distance() < EDGE_PX) show(held);
  }
  scroller.addEventListener('scroll', scrolled, { passive: true });

  const order = segments(
    texts.order,
    { first: texts.newestFirst, last: texts.newestLast },
    'first',
    (to) => {
      isNewestFirst = to === 'first';
      lines.turn(isNewestFirst);
      catchUp();
    },
  );
  const clear = button(
    texts.clear,
    () => {
      send({ type: 'clearConsole' });
      show([]);
    },
    'small',
  );
  clear.setAttribute('aria-label', texts.clearConsole);
  const tools = h(
    'div',
    'row',
    most.element,
    order.element,
    h('label', 'check', isLive, h('span', '', texts.live)),
    button(texts.read, pace.ask, 'small'),
    clear,
    count,
  );
  const element = section(texts.console, 'console', filter.element, tools, scroller, fresh);
  return {
    element,
    show(state) {
      const isNew = state.consoleCount !== counted || state.connectedAt !== connectedAt;
      counted = state.consoleCount;
      connectedAt = state.connectedAt;
      if (isNew && isLive.checked) pace.ask();
    },
    hear(next) {
      if (distance() < EDGE_PX) {
        show(next);
        return;
      }
      held = next;
      fresh.hidden = false;
    },
  };
}
