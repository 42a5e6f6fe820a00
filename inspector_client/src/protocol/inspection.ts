// What the user, or an agent, wants of an element, and how far that is.
import type { Box, SourceInfo } from './element';

export type Status = 'pending' | 'in-progress' | 'completed' | 'failed' | 'deleted';

export type StepStatus = 'pending' | 'in-progress' | 'completed' | 'failed';

export interface Step {
  id: number | string;
  title: string;
  status: StepStatus;
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
