// What goes through the channel between a page and the companion.
import type { ChangeResult } from './change';
import type { InspectionItem } from './inspection';

export interface PageInfo {
  url: string;
  title: string;
  visible: boolean;
  focused: boolean;
  viewport: { width: number; height: number; devicePixelRatio: number };
  userAgent: string;
}

export interface Call {
  page: string;
  id: string;
  tool: string;
  args: Record<string, unknown>;
  timeoutMs: number;
}

export interface Cancel {
  page: string;
  id: string;
  reason?: string;
}

export interface ConnectAnswer {
  companion: string;
  project: { id: string; name: string };
  items: InspectionItem[];
  missing: string[];
  results: ChangeResult[];
  activity: AgentCall[];
  brakes: BrakesState;
}

/** A call of an agent's tool that has to do with this page, or with the project as a whole. */
export interface AgentCall {
  id: number;
  tool: string;
  group: string;
  agent: string;
  at: number;
  /** The script's first line, the URL, the selector, … */
  about: string;
  /** None while it runs; `ok`, or why it failed. */
  outcome?: string;
  tookMs?: number;
}

export type Decision = 'allow' | 'ask' | 'deny';

/** What the user holds back: `paused` in this page, `policy` by tool or group of tools. */
export interface BrakesState {
  paused: boolean;
  everywhere: boolean;
  policy: Record<string, Decision>;
}

export interface BrakesChange {
  paused?: boolean;
  everywhere?: boolean;
  /** Ends what runs in this page, and pauses it. */
  stop?: true;
  /** Null takes the word back. */
  policy?: Record<string, Decision | null>;
}

export interface ChangesAnswer {
  results: ChangeResult[];
  items: InspectionItem[];
}
