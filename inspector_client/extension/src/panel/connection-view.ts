import { copyButton } from '../../../ui/copy';
import { h, setText } from '../../../ui/dom';
import type { TabState } from '../shared/messages';
import { timeOfDay } from '../ui/format';
import type { Send } from '../ui/link';
import { type Part, section } from '../ui/part';
import { createScriptsSwitch } from '../ui/scripts-switch';
import { createServerAddress } from '../ui/server-address';
import { createTabAbout } from '../ui/tab-about';
import { texts } from '../ui/texts';
import { createTrouble } from '../ui/trouble';

function createDetails(): Part<TabState> {
  const id = h('code', '');
  const since = h('span', '');
  const copy = copyButton(() => id.textContent ?? '', texts.copyTabId);
  const [idRow, sinceRow] = [h('dd', '', id, copy), h('dd', '', since)];
  return {
    element: h(
      'dl',
      'details',
      h('dt', '', texts.tabId),
      idRow,
      h('dt', '', texts.since),
      sinceRow,
    ),
    show({ tabId, connectedAt }) {
      setText(id, tabId || texts.noTabId);
      copy.hidden = !tabId;
      setText(since, connectedAt === null ? '–' : timeOfDay(connectedAt));
    },
  };
}

/** The tab, its connection, and what agents may do in it. */
export function createConnectionView(send: Send, stopped: () => void): Part<TabState> {
  const trouble = createTrouble(send, stopped);
  const about = createTabAbout();
  const scripts = createScriptsSwitch(send);
  const details = createDetails();
  const server = createServerAddress(send);
  const facts = h('div', 'facts', details.element, server.element);
  const parts = [trouble, about, scripts, details, server];
  return {
    element: section(
      texts.tabSection,
      'connection',
      trouble.element,
      about.element,
      scripts.element,
      facts,
    ),
    show(state) {
      for (const part of parts) part.show(state);
    },
  };
}
