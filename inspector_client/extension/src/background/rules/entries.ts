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
  /** Chrome is asked to tell what there is of a target: until `told` what is not newer is a repeat. */
  asked(target: string): void;
  told(target: string): void;
  isRepeat(target: string, method: string, timestamp: number): boolean;
  /** By target and domain. */
  newest: Record<string, number>;
}

const MOST_TARGETS = 200;

export function createRepeats(newest: Record<string, number> = {}): Repeats {
  const before = new Map<string, Record<string, number>>();
  return {
    newest,
    asked: (target) => void before.set(target, { ...newest }),
    told: (target) => void before.delete(target),
    isRepeat(target, method, timestamp) {
      // Each domain tells in the order of its own times.
      const key = `${target} ${method.split('.', 1)[0]}`;
      if (timestamp <= (before.get(target)?.[key] ?? Number.NEGATIVE_INFINITY)) return true;
      const latest = Math.max(newest[key] ?? 0, timestamp);
      // Put at the end, so that the oldest are forgotten.
      delete newest[key];
      newest[key] = latest;
      for (const old of Object.keys(newest).slice(0, -MOST_TARGETS)) delete newest[old];
      return false;
    },
  };
}
