import { button, h } from '../../../ui/dom';
import type { TabState } from '../shared/messages';
import type { Send } from './link';
import type { Part } from './part';
import { texts } from './texts';

/** Says that a lost connection is tried again by itself; that can be ended. */
export function createRetry(send: Send, stopped: () => void): Part<TabState> {
  const stop = () => {
    send({ type: 'disconnect' });
    // This button goes away.
    stopped();
  };
  const element = h(
    'div',
    { class: 'retry', hidden: true },
    h('span', '', texts.retrying),
    button(texts.stopTrying, stop, 'small'),
  );
  return {
    element,
    show({ connection, retryAt }) {
      element.hidden = retryAt === null || connection !== 'idle';
    },
  };
}
