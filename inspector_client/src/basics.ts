/** Runs something that the browser or the page may refuse; the fallback says what refusal means. */
export function attempt<T>(action: () => T): T | undefined;
export function attempt<T, F>(action: () => T, fallback: F): T | F;
export function attempt<T, F>(action: () => T, fallback?: F): T | F | undefined {
  try {
    return action();
  } catch {
    return fallback;
  }
}

/** 128 random bits, base64url. `crypto.randomUUID` is missing on plain http from another machine. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replace(/[+/=]/g, (char) => ({ '+': '-', '/': '_' })[char] ?? '');
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function clip(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What is wrong, and what to do. */
export function explained({ message, fix = '' }: { message: string; fix?: string }): string {
  return `${message} ${fix}`.trim();
}

/** Something that happens, for whoever listens. */
export interface Signal<T extends unknown[]> {
  on(listener: (...values: T) => void): void;
  emit(...values: T): void;
}

export function createSignal<T extends unknown[] = []>(): Signal<T> {
  const listeners: ((...values: T) => void)[] = [];
  return {
    on: (listener) => void listeners.push(listener),
    emit(...values) {
      for (const listener of listeners) listener(...values);
    },
  };
}

/** A value that others can watch. */
export interface State<T> {
  readonly value: T;
  set(next: T): void;
  /** Told the value now, and whenever it changes. */
  watch(listener: (value: T) => void): void;
}

export function createState<T>(value: T): State<T> {
  const changed = createSignal<[T]>();
  return {
    get value() {
      return value;
    },
    set(next) {
      if (next === value) return;
      value = next;
      changed.emit(next);
    },
    watch(listener) {
      changed.on(listener);
      listener(value);
    },
  };
}

/** However often it is asked for, it happens once, before the next frame is drawn. */
export function oncePerFrame(action: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      action();
    });
  };
}

export function recordOf<T>(names: string[], read: (name: string) => T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

/** Rejects with the signal's reason, once it is aborted. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
