// The names and shapes that pages, the Vite plugin and the companion share; docs/protocol.md says what they mean.
// By name, so that only what is used is bundled.
export {
  hotSymbol,
  limits,
  pageSymbol,
  type pageTools,
  protocol,
  routes,
  sourceAttribute,
  timing,
  toolsSymbol,
} from '../../companion/pageside/contract/channel.json';
export { default as windowEvents } from '../../companion/pageside/contract/events.json';
export { acting as actingGroups } from '../../companion/pageside/contract/gate.json';
export {
  intents,
  severities,
  sketch as sketchLimits,
} from '../../companion/pageside/contract/note.json';
export { transitions } from '../../companion/pageside/contract/status.json';
export {
  limits as storageLimits,
  local as localKeys,
  session as sessionKeys,
  workbench as workbenchKeys,
} from '../../companion/pageside/contract/storage.json';

export type Status = 'pending' | 'in-progress' | 'completed' | 'failed' | 'deleted';
export type StepStatus = 'pending' | 'in-progress' | 'completed' | 'failed';

export interface Step {
  id: number | string;
  title: string;
  status: StepStatus;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface ElementInfo {
  tagName: string;
  textContent: string;
  className: string;
  id: string;
  role: string | null;
  name: string;
  attributes: Record<string, string>;
  html: string;
  styles: Record<string, string>;
  boundingBox: Box;
  computedStyles: Record<string, Record<string, string>>;
}

export interface StackEntry {
  component: string;
  file: string;
  line: number;
  column: number;
}

export interface SourceLocation {
  file: string;
  component: string;
  line: number;
  column: number;
  exact: boolean;
  /** Why there is no exact place. */
  reason?: string;
  /** What to do about it, where something can be done. */
  fix?: string;
  stack: StackEntry[];
  framework: string;
  /** What the component was given, and what it holds; of one element only. */
  props?: Held[];
  state?: Held[];
  /** Whose they are, where that is not `component`. */
  heldBy?: string;
  handlers?: HandlerInfo[];
  usage?: Usage;
}

/** A value as one can read it: short, and with secrets taken out. */
export interface Held {
  /** '' where it is not known. */
  name: string;
  value: string;
  /** What keeps it: the hook, for example. */
  kind?: string;
}

/** What is called when an event reaches the element; `file` is '' where that is not known. */
export interface HandlerInfo {
  event: string;
  /** '' for a function without a name. */
  name: string;
  file: string;
  line: number;
  column: number;
  /** The ancestor that listens, where it is not the element itself. */
  on?: string;
  /** Who told: the framework, or `dom`. */
  via: string;
}

/** How far a change of the place reaches. */
export interface Usage {
  /** Elements on the page that come from this very place. */
  instances: number;
  /** Where the place's component is used in the project's files, and in how many of them. */
  places: number;
  modules: number;
  /** The use that this element comes from. */
  site?: { file: string; line: number; column: number };
  /** The files between this one and the entry that loads it, the entry last. */
  importedBy: string[];
  /** All of it in a sentence. */
  summary: string;
}

export interface SourceInfo extends SourceLocation {
  elementInfo: ElementInfo;
}

export interface ElementContext {
  /** The same element later, in this document. */
  elementId: string;
  sourceInfo: SourceInfo;
  selector: string;
  url: string;
  title: string;
  /** How many elements the asked selector matches, when it is more than one. */
  matches?: number;
}

export interface AreaContext {
  bounds: Box;
  container?: string;
  elements: ElementContext[];
  total: number;
  url: string;
  title: string;
}

/** What the user framed: all elements are counted, the outermost are named. */
export interface PickedArea {
  bounds: Box;
  total: number;
  elements: {
    selector: string;
    file: string;
    line: number;
    column: number;
    component: string;
    tag: string;
  }[];
}

export type Intent = 'fix' | 'change' | 'question';
export type Severity = 'low' | 'normal' | 'high';
export type Point = [x: number, y: number];

/** An arrow has its two ends, a box two opposite corners, a pen's line all that it goes through. */
export interface SketchShape {
  kind: 'arrow' | 'box' | 'pen';
  points: Point[];
}

/** What the user drew over the page, in CSS px from the upper left corner of the box of the inspection's element. */
export interface Sketch {
  shapes: SketchShape[];
}

/** What a note says besides its text. */
export interface Remarks {
  intent?: Intent;
  severity?: Severity;
  sketch?: Sketch;
}

/** Words of the page, and what stands around them: as the W3C's TextQuoteSelector has it. */
export interface TextQuote {
  exact: string;
  prefix: string;
  suffix: string;
}

export interface InspectionItem extends Remarks {
  id: string;
  elementId?: string;
  sourceInfo: SourceInfo;
  description: string;
  status: Status;
  progress?: { steps: Step[] };
  message?: string;
  timestamp: number;
  updated: number;
  rev: number;
  selector: string;
  url: string;
  title: string;
  agent?: string;
  author: 'user' | 'agent';
  area?: PickedArea;
  quote?: TextQuote;
  /** What was said of it, the newest last. */
  replies?: Reply[];
  /** When the user was done with what its agent had ended, in ms. */
  accepted?: number;
  /** What people call it by, as long as it lives; the companion gives it. */
  number?: number;
  /** Its place in the queue, once the user gave it one; else `timestamp` is. */
  order?: number;
}

export interface Reply {
  id: string;
  from: 'user' | 'agent';
  name?: string;
  text: string;
  at: number;
  /** `status` came with a change of status. */
  kind?: 'reply' | 'question' | 'answer' | 'status';
}

interface ChangeBase {
  change: string;
  at: number;
}
export interface CreateChange extends ChangeBase {
  kind: 'create';
  item: InspectionItem;
  restore?: boolean;
}
export interface StatusChange extends ChangeBase {
  kind: 'status';
  inspection: string;
  status: 'deleted' | 'pending';
  message?: string;
  /** When it may be sent, in ms: until then the user may undo it. */
  due?: number;
}
export interface EditChange extends ChangeBase {
  kind: 'edit';
  inspection: string;
  description: string;
  intent?: Intent;
  severity?: Severity;
}
export interface ReplyChange extends ChangeBase {
  kind: 'reply';
  inspection: string;
  text: string;
}
export interface AcceptChange extends ChangeBase {
  kind: 'accept';
  inspection: string;
  accepted: number;
}
export interface OrderChange extends ChangeBase {
  kind: 'order';
  inspection: string;
  order: number;
}
/** What the user does with an inspection that is there. */
export type ItemChange = StatusChange | EditChange | ReplyChange | AcceptChange | OrderChange;
export type Change = CreateChange | ItemChange;

export interface Failure {
  code: string;
  message: string;
  fix?: string;
  data?: unknown;
}

export type ChangeResult =
  | { change: string; ok: true; rev: number }
  | { change: string; ok: false; error: Failure };

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
  key: string;
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

export interface Frame {
  url: string;
  line: number;
  column: number;
}

/** A place as the page found it; the plugin turns it into a file of the project. */
export interface Place {
  file?: string;
  line?: number;
  column?: number;
  /** What a relative `file` is relative to: Vite's root, else the folder that the dev server runs in. */
  base?: 'cwd';
  /** The text of the file that the place counts in, as the plugin told it. */
  version?: string;
  frame?: Frame;
  /** A component's call site, where nothing is known of what the component makes. */
  opaque?: true;
  tag: string;
  via: string;
  /** Also what is written there: `hooks` and `attributes`. */
  more?: true;
}

export interface Resolved {
  file: string;
  line: number;
  column: number;
  component: string | null;
  /** The function, else the file, that it is written in. */
  within?: string;
  tag?: string;
  package: string | null;
  exact: boolean;
  reason?: string;
  fix?: string;
  hooks?: HookCall[];
  attributes?: WrittenAttribute[];
}

/** A call of a hook (or of what makes a signal) in a component's body, in the order in which they run. */
export interface HookCall {
  hook: string;
  /** The variable that takes its value, or the first part of it; '' where there is none. */
  name: string;
}

/** A function that an attribute of a tag hands over, and where that function is written. */
export interface WrittenAttribute {
  /** `onClick`, `@click`, `on:click`, … */
  attribute: string;
  /** '' for a function without a name. */
  name: string;
  /** '' where it is not known. */
  file: string;
  line: number;
  column: number;
  /** The prop that it is: whoever uses the component has written it. */
  prop?: string;
  /** A spread after it may replace it. */
  spread?: true;
}
