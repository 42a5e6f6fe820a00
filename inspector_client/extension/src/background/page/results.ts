// What came of running something in the page.
import { CommandError } from '../rules/failure';
import type { Remote } from '../rules/told';

export interface Answer {
  result?: Remote;
  exceptionDetails?: Details;
}
export interface Details {
  text?: string;
  lineNumber?: number;
  columnNumber?: number;
  exception?: Remote;
  stackTrace?: { callFrames?: unknown[] };
}

const LONGEST = 4000;

/** Something was thrown; `details` are Chrome's. */
export class Thrown extends CommandError {
  constructor(readonly details: Details) {
    super('EXECUTION_ERROR', said(details).slice(0, LONGEST));
  }
}

/** Not only errors can be thrown. */
function said({ exception, text = '' }: Details): string {
  if (!exception) return text;
  const { value, description, unserializableValue, type } = exception;
  if (typeof value === 'string') return value;
  if (value !== undefined) return JSON.stringify(value);
  return description ?? unserializableValue ?? type;
}

/** The remote object; throws what was thrown. */
export function unwrapped(answer: Answer): Remote {
  if (answer.exceptionDetails) throw new Thrown(answer.exceptionDetails);
  return answer.result ?? { type: 'undefined' };
}

export function jsonOf(answer: Answer): unknown {
  const { value, unserializableValue } = unwrapped(answer);
  return value ?? unserializableValue ?? null;
}
