import type { TabState } from '../shared/messages';
import { button, h, type Part } from './dom';
import type { Send } from './link';
import { texts } from './texts';

/** Says that a lost connection is tried again by itself; that can be ended. */
export function createRetry(send: Send): Part<TabState> {
  const stop = button(texts.stopTrying, () => send({ type: 'disconnect' }), 'small');
  const element = h('div', { class: 'retry', hidden: true }, h('span', '', texts.retrying), stop);
  return {
    element,
    show({ connection, retryAt }) {
      element.hidden = retryAt === null || connection !== 'idle';
    },
  };
}
