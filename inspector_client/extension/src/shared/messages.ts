// What the service worker and its views (the DevTools panel, the popup) tell each other over a `chrome.runtime` port.
import type { commands } from '../../../../companion/pageside/contract/tabs.json';

export type Command = (typeof commands)[number];

/** The states of a tab's connection. */
export type Connection = 'idle' | 'connecting' | 'connected' | 'executing' | 'disconnecting';

export interface Failure {
  code: string;
  message: string;
}

/** How one command went; `at` in ms since 1970, `tookMs` from the moment that it was taken from the queue. */
export interface Outcome {
  id: string;
  command: Command;
  params: Record<string, unknown>;
  /** An agent sent it, or the user by a form of the panel. */
  by: 'agent' | 'user';
  at: number;
  tookMs: number;
  success: boolean;
  result: unknown;
  error: Failure | null;
}

export interface LogEntry {
  /** ms since 1970. */
  timestamp: number;
  level: 'debug' | 'log' | 'info' | 'warning' | 'error';
  message: string;
}

/** One tab as it is now. */
export interface TabNow {
  /** Chrome's number of the tab. */
  tab: number;
  /** The id under which the companion knows it; the empty string before its first connection. */
  tabId: string;
  url: string;
  title: string;
  connection: Connection;
  /** ms since 1970; null unless connected. */
  connectedAt: number | null;
  port: number;
  /** Why it is not connected, or what went wrong last. */
  problem: Failure | null;
  /** The connection was lost and is tried again by itself then (ms since 1970); `disconnect` ends that. Else null. */
  retryAt: number | null;
  /** Agents may run scripts in this tab. */
  scriptsAllowed: boolean;
  /** An agent wanted to run a script, and was refused. */
  scriptWanted: boolean;
  /** The command that runs now. */
  running: { command: Command; by: 'agent' | 'user' } | null;
  queued: number;
  /** How much was logged since the console was empty; what had to make room for newer lines counts too. */
  consoleCount: number;
}

/** All that a view shows of one tab. */
export interface TabState extends TabNow {
  /** The newest first, at most `MOST_OUTCOMES`; pictures have no data here (`readPicture`). */
  outcomes: Outcome[];
}

export type ToWorker =
  | { type: 'watch'; tab: number }
  | { type: 'connect' }
  | { type: 'disconnect' }
  | { type: 'setPort'; port: number }
  | { type: 'allowScripts'; allowed: boolean }
  | { type: 'run'; command: Command; params: Record<string, unknown> }
  | { type: 'readConsole'; max: number }
  | { type: 'clearConsole' }
  /** Of an outcome of that id. */
  | { type: 'readPicture'; outcome: string }
  /** For the popup: it is told `tabs`, at once and whenever they change. */
  | { type: 'watchTabs' };

export type ToView =
  /** `news`: the outcomes that this view was not told of yet, the newest first. */
  | { type: 'state'; state: TabNow; news: Outcome[] }
  /** Base64; empty when the picture is no longer kept. */
  | { type: 'picture'; outcome: string; data: string }
  | { type: 'console'; entries: LogEntry[] }
  /** Chrome's numbers of the tabs that are connected. */
  | { type: 'tabs'; tabs: number[] }
  /** The tab is not there any more. */
  | { type: 'closed' };

/** So many outcomes of a tab are kept. */
export const MOST_OUTCOMES = 50;

/** The name of the port that a view opens. */
export const VIEW = 'view';
