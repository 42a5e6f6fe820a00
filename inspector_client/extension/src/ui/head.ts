import { h } from '../../../ui/dom';
import type { TabState } from '../shared/messages';
import { createConnectButton } from './connect-button';
import type { Send } from './link';
import type { Part } from './part';
import { createRunning } from './running';
import { createStatus } from './status';

/** The line that is always in sight: state, what runs, connect. */
export function createHead(send: Send): Part<TabState> & { focus(): void } {
  const connect = createConnectButton(send);
  const parts = [createStatus(), createRunning(), connect];
  return {
    focus: () => connect.element.focus(),
    element: h('header', 'top', ...parts.map(({ element }) => element)),
    show(state) {
      for (const part of parts) part.show(state);
    },
  };
}
