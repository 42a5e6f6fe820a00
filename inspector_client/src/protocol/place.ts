// What the plugin is asked about a place of the source, and answers.

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
