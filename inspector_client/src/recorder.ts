import { attempt, clip, isRecord, messageOf } from './basics';
import { isSecretName, REDACTED } from './element/redact';

const KEPT = 100;
const TEXT_CHARS = 1000;
const PARTS = 8;
const LEVELS = ['debug', 'log', 'info', 'warn', 'error'] as const;

interface Entry {
  /** A console level, or the kind of an error. */
  level: string;
  text: string;
  time: number;
}

export interface Recorder {
  start(): void;
  readonly console: Entry[];
  readonly errors: Entry[];
}

/** Also told: each console line, and each uncaught error with its stack. */
export type Heard = (level: string, text: string, stack?: string) => void;

/** Keeps the last console lines and errors of the page. Bounded work per call; nothing is kept alive. */
export function createRecorder(target: Console, heard: Heard): Recorder {
  const lines: Entry[] = [];
  const errors: Entry[] = [];

  function wrap(level: (typeof LEVELS)[number]): void {
    const original = target[level];
    target[level] = (...args: unknown[]) => {
      heard(level, keep(lines, level, lineOf(args.slice(0, PARTS))));
      original.apply(target, args);
    };
  }
  function onError(event: Event): void {
    const { message, error } = event as ErrorEvent;
    const { localName, src, href } = event.target as HTMLImageElement & HTMLLinkElement;
    if (localName) keep(errors, 'resource', `<${localName}> ${src || href}`);
    else uncaught('error', message, error);
  }
  function onRejection({ reason }: PromiseRejectionEvent): void {
    uncaught(
      'unhandledrejection',
      attempt(() => messageOf(reason), '[unreadable]'),
      reason,
    );
  }
  function uncaught(level: string, message: string, error: unknown): void {
    const stack = attempt(() => String((error as Error).stack ?? ''), '');
    keep(errors, level, stack || message);
    heard('error', clip(message, TEXT_CHARS), clip(stack, TEXT_CHARS));
  }
  return {
    start() {
      LEVELS.forEach(wrap);
      addEventListener('error', onError, true);
      addEventListener('unhandledrejection', onRejection);
    },
    console: lines,
    errors,
  };
}

function keep(ring: Entry[], level: string, full: unknown): string {
  const text = clip(String(full), TEXT_CHARS);
  ring.push({ level, text, time: Date.now() });
  if (ring.length > KEPT) ring.shift();
  return text;
}

/** As a console shows it: what the first argument has places for stands there, and styles are no text. */
function lineOf(args: unknown[]): string {
  const [first, ...more] = args.map(preview);
  const isFormat = more.length > 0 && typeof args[0] === 'string';
  const text = isFormat
    ? first?.replace(/%([sdifoOc%])/g, (mark, kind) => {
        const value = kind === '%' ? '%' : more.shift();
        return kind === 'c' ? '' : (value ?? mark);
      })
    : first;
  return [text, ...more].join(' ');
}

/** Short and shallow; a getter or proxy of the page that throws must not make `console.log` throw. */
function preview(value: unknown): string {
  try {
    if (value instanceof Error) return String(value.stack);
    if (Array.isArray(value)) return `[${value.slice(0, PARTS).map(short).join(', ')}]`;
    if (!isRecord(value) || value.nodeName) return short(value);
    const keys = Object.keys(value).slice(0, PARTS);
    return `{${keys.map((key) => `${key}: ${property(key, value[key])}`).join(', ')}}`;
  } catch {
    return '[unreadable]';
  }
}

function property(name: string, value: unknown): string {
  return typeof value === 'string' && isSecretName(name) ? REDACTED : short(value);
}

function short(value: unknown): string {
  if (Array.isArray(value)) return `Array(${value.length})`;
  return typeof value === 'string' ? value.slice(0, TEXT_CHARS) : String(value);
}
