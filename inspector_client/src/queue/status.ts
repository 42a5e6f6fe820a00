import { type Status, transitions } from '../protocol';

const TRANSITIONS: Record<string, string[]> = transitions;

export function isStatus(value: unknown): value is Status {
  return typeof value === 'string' && Object.hasOwn(TRANSITIONS, value);
}

export function mayBecome(from: Status, to: Status): boolean {
  return TRANSITIONS[from]?.includes(to) ?? false;
}

export function isOpen(status: Status): boolean {
  return status === 'pending' || status === 'in-progress';
}
