// What the tests of views begin with.
import type { Outcome, TabState } from '../src/shared/messages';

export const aState = (more: Partial<TabState> = {}): TabState => ({
  tab: 7,
  tabId: '',
  url: 'http://localhost:5173/',
  title: 'Noon',
  connection: 'idle',
  connectedAt: null,
  port: 61822,
  problem: null,
  retryAt: null,
  scriptsAllowed: false,
  scriptWanted: false,
  running: null,
  queued: 0,
  outcomes: [],
  consoleCount: 0,
  ...more,
});

export const anOutcome = (id: string, more: Partial<Outcome> = {}): Outcome => ({
  id,
  command: 'kapturemcp_click',
  params: { selector: '#go' },
  by: 'user',
  at: 0,
  tookMs: 12,
  success: true,
  result: { success: true },
  error: null,
  ...more,
});
