// What a page tells of its elements, and of where they are written.

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
