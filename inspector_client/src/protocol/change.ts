// What a page tells the companion of its inspections, and what comes of it.
import type { InspectionItem, Intent, Severity } from './inspection';

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
