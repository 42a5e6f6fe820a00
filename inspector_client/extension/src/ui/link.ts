import { type LogEntry, type TabState, type ToView, type ToWorker, VIEW } from '../shared/messages';

const RETRY_MS = 500;

interface Heard {
  state(state: TabState): void;
  console?(entries: LogEntry[]): void;
  /** Which tabs are connected, by Chrome's numbers; asked for only when it is here. */
  tabs?(numbers: number[]): void;
  /** The extension that this view belongs to is gone. */
  gone(): void;
}

export type Send = (message: ToWorker) => void;

/** Watches a tab by a port to the service worker, again and again: Chrome ends a worker that has nothing to do. */
export function watchTab(tab: number, heard: Heard): Send {
  let port: chrome.runtime.Port | null = null;

  function hear(message: ToView): void {
    if (message.type === 'state') heard.state(message.state);
    else if (message.type === 'console') heard.console?.(message.entries);
    else heard.tabs?.(message.tabs);
  }
  function open(): chrome.runtime.Port | null {
    // Without an id the extension was reloaded or removed; this page is a leftover.
    if (!chrome.runtime?.id) {
      heard.gone();
      return null;
    }
    const opened = chrome.runtime.connect({ name: VIEW });
    opened.onMessage.addListener(hear);
    opened.onDisconnect.addListener(() => {
      port = null;
      setTimeout(reopen, RETRY_MS);
    });
    opened.postMessage({ type: 'watch', tab } satisfies ToWorker);
    if (heard.tabs) opened.postMessage({ type: 'watchTabs' } satisfies ToWorker);
    return opened;
  }
  function reopen(): void {
    port ??= open();
  }
  reopen();
  return (message) => {
    reopen();
    port?.postMessage(message);
  };
}
