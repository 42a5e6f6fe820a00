import { h } from '../../../ui/dom';
import type { TabState } from '../shared/messages';
import { isChromes } from './connect-button';
import type { Send } from './link';
import type { Part } from './part';
import { createProblem } from './problem';
import { createRetry } from './retry';
import { texts } from './texts';

/** Why the tab is not connected, and what to do. `stopped`: the user wants it to be tried no more. */
export function createTrouble(send: Send, stopped: () => void): Part<TabState> {
  const problem = createProblem();
  const retry = createRetry(send, stopped);
  const notHere = h('p', { class: 'request', hidden: true }, texts.notThisPage);
  return {
    element: h(
      'div',
      { class: 'trouble', role: 'status' },
      problem.element,
      notHere,
      retry.element,
    ),
    show(state) {
      problem.show(state.problem);
      notHere.hidden = state.connection !== 'idle' || !isChromes(state.url);
      retry.show(state);
    },
  };
}
