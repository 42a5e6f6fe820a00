import { button, h } from '../../../ui/dom';
import type { TabState } from '../shared/messages';
import { createConnectButton } from '../ui/connect-button';
import type { Send } from '../ui/link';
import { createRunning } from '../ui/running';
import { createScriptsSwitch } from '../ui/scripts-switch';
import { createStatus } from '../ui/status';
import { createTabAbout } from '../ui/tab-about';
import { texts } from '../ui/texts';
import { createTrouble } from '../ui/trouble';
import { createTabsList } from './tabs-list';

export interface Popup {
  readonly element: HTMLElement;
  show(state: TabState): void;
  showTabs(numbers: number[]): void;
}

/** The active tab in brief, and the way to the panel. */
export function createPopup(tab: number, send: Send): Popup {
  const status = createStatus();
  const connect = createConnectButton(send);
  const trouble = createTrouble(send, () => connect.element.focus());
  const about = createTabAbout();
  const scripts = createScriptsSwitch(send);
  const running = createRunning();
  const tabs = createTabsList();
  const parts = [status, connect, trouble, about, scripts, running];
  const openPanel = button(texts.openPanel, () => {
    void chrome.tabs.create({ url: `panel.html?tab=${tab}` }).then(() => window.close());
  });
  const element = h(
    'main',
    'popup',
    h('h1', 'unseen', texts.product),
    h('div', 'head', status.element, connect.element),
    running.element,
    trouble.element,
    about.element,
    scripts.element,
    tabs.element,
    openPanel,
    h('p', 'hint', texts.inDevTools),
  );
  return {
    element,
    show(state) {
      for (const part of parts) part.show(state);
    },
    showTabs: (numbers) => void tabs.show(numbers),
  };
}
