// What was typed into secret fields stays out of whatever is told.
const REDACTED = '<redacted>';
const SHORTEST = 4;
const MOST = 50;

export interface Secrets {
  add(value: string): void;
  /** The same without any of them, in texts, lists and objects at any depth; names of fields stay as they are. */
  scrubbed<T>(value: T): T;
  /** Also in names of fields: of what a page made up itself. */
  scrubbedWhole(value: unknown): unknown;
}

export function createSecrets(): Secrets {
  let known: string[] = [];

  const clean = (text: string): string =>
    known.reduce((told, secret) => told.replaceAll(secret, REDACTED), text);

  function scrub(value: unknown, nameOf: (name: string) => string): unknown {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return value.map((each) => scrub(each, nameOf));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value);
    return Object.fromEntries(fields.map(([name, each]) => [nameOf(name), scrub(each, nameOf)]));
  }
  return {
    add(value) {
      // Shorter ones would take words apart that have nothing to do with them.
      if (value.length < SHORTEST) return;
      const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)];
      const all = new Set([...forms, ...known]);
      known = [...all].slice(0, MOST).sort((a, b) => b.length - a.length);
    },
    scrubbed: <T>(value: T): T => (known.length ? (scrub(value, (name) => name) as T) : value),
    scrubbedWhole: (value) => scrub(value, clean),
  };
}
