import { h, setText } from '../../../ui/dom';
import type { TabState } from '../shared/messages';
import type { Part } from './part';
import { shortName, texts } from './texts';

/** A click takes some hundredths of a second: shorter than this nobody sees it. */
const LEAST_SHOWN_MS = 700;

/** What runs in the tab now, by whom, and how much waits. */
export function createRunning(): Part<TabState> {
  const command = h('code', '');
  const who = h('span', 'hint');
  const waits = h('span', 'hint waits');
  const line = h('p', { class: 'running', hidden: true }, command, who, waits);
  let shownAt = 0;
  let timer = 0;

  function mark(isRunning: boolean): void {
    line.hidden = !isRunning;
    document.documentElement.toggleAttribute('data-running', isRunning);
  }
  function begin({ running, queued }: TabState): void {
    if (!running) return;
    clearTimeout(timer);
    if (line.hidden) shownAt = performance.now();
    setText(command, shortName(running.command));
    setText(who, running.by === 'agent' ? texts.byAgent : texts.byUser);
    setText(waits, queued ? texts.queued(queued) : '');
    mark(true);
  }
  function end(): void {
    setText(waits, texts.ended);
    clearTimeout(timer);
    timer = window.setTimeout(() => mark(false), shownAt + LEAST_SHOWN_MS - performance.now());
  }
  return {
    element: h('div', { class: 'running-place', role: 'status' }, line),
    show(state) {
      if (state.running) begin(state);
      else if (!line.hidden) end();
    },
  };
}
