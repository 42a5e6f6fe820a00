import { clip, isRecord, messageOf } from './basics';

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

/** Keeps the last console lines and errors of the page. Bounded work per call; nothing is kept alive. */
export function createRecorder(target: Console): Recorder {
  const lines: Entry[] = [];
  const errors: Entry[] = [];

  function wrap(level: (typeof LEVELS)[number]): void {
    const original = target[level];
    target[level] = (...args: unknown[]) => {
      keep(lines, level, args.slice(0, PARTS).map(preview).join(' '));
      original.apply(target, args);
    };
  }
  function onError(event: Event): void {
    const { message, error } = event as ErrorEvent;
    const { localName, src, href } = event.target as HTMLImageElement & HTMLLinkElement;
    if (localName) keep(errors, 'resource', `<${localName}> ${src || href}`);
    else keep(errors, 'error', error?.stack ?? message);
  }
  function onRejection({ reason }: PromiseRejectionEvent): void {
    keep(errors, 'unhandledrejection', reason?.stack ?? messageOf(reason));
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

function keep(ring: Entry[], level: string, text: unknown): void {
  ring.push({ level, text: clip(String(text), TEXT_CHARS), time: Date.now() });
  if (ring.length > KEPT) ring.shift();
}

/** Short and shallow; a getter or proxy of the page that throws must not make `console.log` throw. */
function preview(value: unknown): string {
  try {
    if (value instanceof Error) return String(value.stack);
    if (Array.isArray(value)) return `[${value.slice(0, PARTS).map(short).join(', ')}]`;
    if (!isRecord(value) || value.nodeName) return short(value);
    const keys = Object.keys(value).slice(0, PARTS);
    return `{${keys.map((key) => `${key}: ${short(value[key])}`).join(', ')}}`;
  } catch {
    return '[unreadable]';
  }
}

function short(value: unknown): string {
  if (Array.isArray(value)) return `Array(${value.length})`;
  return typeof value === 'string' ? value.slice(0, TEXT_CHARS) : String(value);
}
