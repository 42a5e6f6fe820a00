import type { Agents } from './agents';
import type { State } from './basics';
import type { Tool } from './calls';
import type { Clock } from './clock';
import type { Connection, Session } from './connection/session';
import type { DetailsLoader } from './details';
import type { KeyWatcher } from './gate';
import type { Highlight } from './highlight';
import type { Lazy } from './lazy';
import type { Pointing } from './picker';
import type { Picking } from './picking';
import type { Box, Remarks } from './protocol';
import type { Queue } from './queue/queue';
import type { SettingsStore } from './settings';
import type { Host } from './ui/host';
import type { Listening } from './ui/listen';
import type { OpenPlace } from './ui/texts';
import type { Toasts } from './ui/toasts';
import type { Requests } from './workbench/requests';

/** What the workbench works with. */
export interface WorkbenchParts {
  host: Host;
  listening: Listening;
  picking: Picking;
  pointing: Pointing;
  settings: SettingsStore;
  /** Null where the user does not want pages to be frozen. */
  clock: Clock | null;
  queue: Queue;
  connection: State<Connection>;
  highlight: Highlight;
  details: DetailsLoader;
  toasts: Toasts;
  panelShown: State<boolean>;
  agents: Agents;
  /** Asked of each key that is pressed in the page, after the shortcuts. */
  pageKeys: State<KeyWatcher>;
  open: OpenPlace;
  send: Session['send'];
  /** Puts parts of it on the page, below the toolbar and what is said. */
  add(...elements: HTMLElement[]): void;
}

/** What a note says besides its text, as the user chooses it. */
export interface RemarksField {
  readonly element: HTMLElement;
  readonly value: Remarks;
  /** The note is written: what was drawn leaves the page. */
  end(): void;
}

/** All of the overlay that a page needs only once somebody uses it; loaded then, as workbench.js. */
export interface Workbench {
  /** The fields for what a note says besides its text; what is drawn belongs to the box that `anchor` tells. */
  remarks(kept: Remarks, anchor: () => Box): RemarksField;
  requests: Requests;
  /** Page tools. */
  tools: Record<WorkbenchTool, Tool>;
}

export type WorkbenchTool =
  | 'allow_call'
  | 'ask_user'
  | 'choose_element'
  | 'list_tools'
  | 'call_tool';

export type WorkbenchLoader = Lazy<Workbench>;
