import type { State } from './basics';
import type { Tool } from './calls';
import type { Connection, Session } from './connection/session';
import type { DetailsLoader } from './details';
import type { KeyWatcher } from './gate';
import type { Highlight } from './highlight';
import type { Lazy } from './lazy';
import type { Picking } from './picking';
import type { Queue } from './queue/queue';
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
  queue: Queue;
  connection: State<Connection>;
  highlight: Highlight;
  details: DetailsLoader;
  toasts: Toasts;
  panelShown: State<boolean>;
  /** Asked of each key that is pressed in the page, after the shortcuts. */
  pageKeys: State<KeyWatcher>;
  open: OpenPlace;
  send: Session['send'];
  /** Puts parts of it on the page, below the toolbar and what is said. */
  add(...elements: HTMLElement[]): void;
}

/** All of the overlay that a page needs only once somebody uses it; loaded then, as workbench.js. */
export interface Workbench {
  requests: Requests;
}

export type WorkbenchLoader = Lazy<Workbench>;
  /** Page tools. */
  tools: Record<WorkbenchTool, Tool>;
export type WorkbenchTool = 'ask_user' | 'choose_element' | 'list_tools' | 'call_tool';

