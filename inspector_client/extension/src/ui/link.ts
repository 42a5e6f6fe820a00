import {
  type LogEntry,
  MOST_OUTCOMES,
  type Outcome,
  type TabState,
  type ToView,
  type ToWorker,
  VIEW,
} from '../shared/messages';
import { texts } from './texts';

const RETRY_MS = 500;

interface Heard {
  state(state: TabState): void;
  console?(entries: LogEntry[]): void;
  /** Base64; empty when the outcome's picture is no longer kept. */
  picture?(outcome: string, data: string): void;
  /** Which tabs are connected, by Chrome's numbers; asked for only when it is here. */
  tabs?(numbers: number[]): void;
  /** There is nothing to watch any more: why. */
  ended(why: string): void;
}

export type Send = (message: ToWorker) => void;

/** Watches a tab by a port to the service worker, again and again: Chrome ends a worker that has nothing to do. */
export function watchTab(tab: number, heard: Heard): Send {
  let port: chrome.runtime.Port | null = null;
  let outcomes: Outcome[] = [];

  function hear(message: ToView): void {
    if (message.type === 'state') {
      outcomes = [...message.news, ...outcomes].slice(0, MOST_OUTCOMES);
      heard.state({ ...message.state, outcomes });
    } else if (message.type === 'console') heard.console?.(message.entries);
    else if (message.type === 'picture') heard.picture?.(message.outcome, message.data);
    else if (message.type === 'tabs') heard.tabs?.(message.tabs);
    else heard.ended(texts.closed);
  }
  function open(): chrome.runtime.Port | null {
    // Without an id the extension was reloaded or removed; this page is a leftover.
    if (!chrome.runtime?.id) {
      heard.ended(texts.gone);
      return null;
    }
    // Whoever answers tells all that it has.
    outcomes = [];
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
