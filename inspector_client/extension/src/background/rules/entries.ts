// Console entries of Chrome's events; none twice, though Chrome tells what there was again when it is asked anew.
import type { LogEntry } from '../../shared/messages';
import { cut, messageOf, type Remote, shown } from './told';

interface Called {
  type: string;
  args: Remote[];
  timestamp: number;
}
interface Thrown {
  timestamp: number;
  exceptionDetails: { text: string; exception?: Remote };
}
interface Logged {
  entry: { level: string; text: string; timestamp: number; url?: string; args?: Remote[] };
}

const LEVELS: Record<string, LogEntry['level']> = {
  info: 'info',
  warning: 'warning',
  error: 'error',
  assert: 'error',
  debug: 'debug',
  verbose: 'debug',
};
/** They structure what is shown, and say nothing. */
const SILENT = new Set(['endGroup', 'profile', 'profileEnd']);

/** The entry that an event of the domains Runtime and Log makes; null if none. */
export function entryOf(method: string, params: object): LogEntry | null {
  switch (method) {
    case 'Runtime.consoleAPICalled':
      return called(params as Called);
    case 'Runtime.exceptionThrown':
      return thrown(params as Thrown);
    case 'Log.entryAdded':
      return logged(params as Logged);
    default:
      return null;
  }
}

function called({ type, args, timestamp }: Called): LogEntry | null {
  if (SILENT.has(type)) return null;
  const text = type === 'clear' ? '(the console was cleared)' : messageOf(args);
  const message = type === 'assert' ? `Assertion failed: ${text}` : text;
  return { timestamp, level: LEVELS[type] ?? 'log', message };
}

function thrown({ timestamp, exceptionDetails: { text, exception } }: Thrown): LogEntry {
  const value = exception && exception.type !== 'undefined' ? shown(exception) : '';
  return { timestamp, level: 'error', message: cut(`${text} ${value}`.trim()) };
}

function logged({ entry: { level, text, timestamp, url, args = [] } }: Logged): LogEntry {
  const told = messageOf([{ type: 'string', value: text }, ...args]);
  const message = url && !told.includes(url) ? `${told} (${url})` : told;
  return { timestamp, level: LEVELS[level] ?? 'log', message: cut(message) };
}

/** Tells what Chrome repeats from what is new: by the time of the newest that was taken before it was asked. */
export interface Repeats {
  /** Chrome is asked to tell what there is: until `told` what is not newer is a repeat. */
  asked(): void;
  told(): void;
  isRepeat(method: string, timestamp: number): boolean;
  newest: Record<string, number>;
}

export function createRepeats(newest: Record<string, number> = {}): Repeats {
  let before: Record<string, number> | null = null;
  return {
    newest,
    asked() {
      before = { ...newest };
    },
    told() {
      before = null;
    },
    isRepeat(method, timestamp) {
      // Each domain tells in the order of its own times.
      const domain = method.split('.', 1)[0] ?? '';
      if (timestamp <= (before?.[domain] ?? Number.NEGATIVE_INFINITY)) return true;
      newest[domain] = Math.max(newest[domain] ?? 0, timestamp);
      return false;
    },
  };
}
