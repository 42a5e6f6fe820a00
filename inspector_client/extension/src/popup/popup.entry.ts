// The popup of the toolbar button; for tests and pictures as a page with `?tab=<number>`.
import { h } from '../../../ui/dom';
import { type Send, watchTab } from '../ui/link';
import { texts } from '../ui/texts';
import { createPopup } from './popup';

const say = (text: string) => document.body.replaceChildren(h('p', 'empty', text));

async function tabOfPopup(): Promise<number | undefined> {
  const asked = new URLSearchParams(location.search).get('tab');
  if (asked) return Number(asked);
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  return tab?.id;
}

async function start(): Promise<void> {
  const tab = await tabOfPopup();
  if (tab === undefined) {
    say(texts.noTab);
    return;
  }
  let send: Send = () => {};
  const popup = createPopup(tab, (message) => send(message));
  document.body.replaceChildren(popup.element);
  send = watchTab(tab, {
    state: popup.show,
    tabs: popup.showTabs,
    ended: say,
  });
}

void start();
