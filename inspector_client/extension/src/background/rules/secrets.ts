// What was typed into secret fields stays out of whatever is told.
const REDACTED = '<redacted>';
const SHORTEST = 4;
const MOST = 50;

export interface Secrets {
  add(value: string): void;
  /** The same without any of them, in texts, lists and objects at any depth. */
  scrubbed<T>(value: T): T;
}

export function createSecrets(): Secrets {
  let known: string[] = [];

  function clean(text: string): string {
    return known.reduce((told, secret) => told.replaceAll(secret, REDACTED), text);
  }
  function scrub(value: unknown): unknown {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return value.map(scrub);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [clean(key), scrub(each)]),
    );
  }
  return {
    add(value) {
      // Shorter ones would take words apart that have nothing to do with them.
      if (value.length < SHORTEST) return;
      const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
      const all = new Set([...forms, ...known]);
      known = [...all].slice(0, MOST).sort((a, b) => b.length - a.length);
    },
    scrubbed: <T>(value: T): T => (known.length ? (scrub(value) as T) : value),
  };
}
