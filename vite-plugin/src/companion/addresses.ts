/** Where the app is reached: what Vite says, and where pages came from by a forwarded port, a proxy or an app around Vite. */
export interface Addresses {
  all(): string[];
  /** A page of this origin was let in. */
  reached(origin: string): void;
}

const MAX_SEEN = 5;

export function createAddresses(
  known: () => string[],
  base: string,
  changed: () => void,
): Addresses {
  const seen: string[] = [];
  const all = () => [...new Set([...known(), ...seen])];
  return {
    all,
    reached(origin) {
      if (seen.length >= MAX_SEEN || all().some((url) => nameOf(url) === nameOf(origin))) return;
      seen.push(new URL(base, origin).href);
      changed();
    },
  };
}

/** The names of this machine are one. */
function nameOf(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const isOwn = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return `${protocol}//${isOwn ? 'localhost' : hostname}:${port}`;
}
