import { clip, isRecord, messageOf } from './basics';

const KEPT = 100;
const TEXT_CHARS = 1000;
const ARGUMENTS = 8;
const KEYS = 8;
const LEVELS = ['debug', 'log', 'info', 'warn', 'error'] as const;

export interface ConsoleEntry {
  level: (typeof LEVELS)[number];
  text: string;
  time: number;
}
export interface ErrorEntry {
  kind: 'error' | 'unhandledrejection' | 'resource';
  text: string;
  stack?: string;
  time: number;
}

export interface Recorder {
  start(): void;
  stop(): void;
  readonly console: ConsoleEntry[];
  readonly errors: ErrorEntry[];
}

/** Keeps the last console lines and errors of the page. Bounded work per call; nothing is kept alive. */
export function createRecorder(target: Console, view: Window): Recorder {
  const lines: ConsoleEntry[] = [];
  const errors: ErrorEntry[] = [];
  const restore: (() => void)[] = [];

  function wrap(level: ConsoleEntry['level']): void {
    const original = target[level];
    const recorded = (...args: unknown[]) => {
      keep(lines, { level, text: textOf(args), time: Date.now() });
      original.apply(target, args);
    };
    target[level] = recorded;
    restore.push(() => {
      if (target[level] === recorded) target[level] = original;
    });
  }
  function onError(event: ErrorEvent | Event): void {
    if ('message' in event) {
      const stack = event.error instanceof Error ? event.error.stack : undefined;
      keep(errors, errorEntry('error', event.message, stack));
      return;
    }
    const { localName, src, href } = event.target as HTMLImageElement & HTMLLinkElement;
    if (localName) keep(errors, errorEntry('resource', `<${localName}> ${src || href}`));
  }
  function onRejection({ reason }: PromiseRejectionEvent): void {
    const stack = reason instanceof Error ? reason.stack : undefined;
    keep(errors, errorEntry('unhandledrejection', messageOf(reason), stack));
  }

  return {
    start() {
      LEVELS.forEach(wrap);
      view.addEventListener('error', onError, true);
      view.addEventListener('unhandledrejection', onRejection);
    },
    stop() {
      for (const undo of restore.splice(0)) undo();
      view.removeEventListener('error', onError, true);
      view.removeEventListener('unhandledrejection', onRejection);
    },
    console: lines,
    errors,
  };
}

function keep<T>(ring: T[], entry: T): void {
  ring.push(entry);
  if (ring.length > KEPT) ring.shift();
}

function errorEntry(kind: ErrorEntry['kind'], text: string, stack?: string): ErrorEntry {
  return {
    kind,
    text: clip(text, TEXT_CHARS),
    ...(stack ? { stack: clip(stack, TEXT_CHARS) } : {}),
    time: Date.now(),
  };
}

function textOf(args: unknown[]): string {
  return clip(args.slice(0, ARGUMENTS).map(preview).join(' '), TEXT_CHARS);
}

/** Short and shallow; a getter or proxy of the page that throws must not make `console.log` throw. */
function preview(value: unknown): string {
  try {
    if (typeof value === 'string') return value.slice(0, TEXT_CHARS);
    if (value instanceof Error) return value.stack ?? String(value);
    if (Array.isArray(value)) return `[${value.slice(0, KEYS).map(short).join(', ')}]`;
    if (!isRecord(value)) return String(value);
    if ('nodeType' in value) return `<${String(value.nodeName).toLowerCase()}>`;
    const fields = Object.keys(value).slice(0, KEYS);
    return `{${fields.map((key) => `${key}: ${short(value[key])}`).join(', ')}}`;
  } catch {
    return '[unreadable]';
  }
}

function short(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[…]' : '{…}';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : String(value);
}
