// The service worker: the connections of all tabs. Chrome may stop it at any time, and starts it for every event.
import { VIEW } from '../shared/messages';
import { restored } from './kept';
import { createTabs } from './tabs';

const starting = restored().then(createTabs);

chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== VIEW) {
    port.disconnect();
    return;
  }
  // What it says before the tabs are there is not lost.
  const early: unknown[] = [];
  const listener = (message: unknown) => early.push(message);
  port.onMessage.addListener(listener);
  void starting.then((tabs) => {
    port.onMessage.removeListener(listener);
    tabs.watch(port, early);
  });
});

chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, params) => {
  if (tabId === undefined) return;
  void starting.then((tabs) => tabs.known(tabId)?.event(method, params ?? {}, sessionId));
});
chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
  if (tabId === undefined) return;
  void starting.then((tabs) => tabs.known(tabId)?.detached(reason === 'canceled_by_user'));
});
chrome.tabs.onUpdated.addListener((tab, { url, title }) => {
  if (url === undefined && title === undefined) return;
  void starting.then((tabs) => tabs.known(tab)?.listed({ url, title }));
});
chrome.tabs.onRemoved.addListener((tab) => {
  void starting.then((tabs) => tabs.removed(tab));
});
// A tab that Chrome has put aside to save memory is another one when it comes back.
chrome.tabs.onReplaced.addListener((_added, tab) => {
  void starting.then((tabs) => tabs.removed(tab));
});
