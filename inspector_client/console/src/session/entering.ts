import { attempt, isRecord } from '../../../src/basics';

const KEY = 'pageside-console-token';

/** The token of this tab: kept as long as the tab is open, also over reloads. */
export interface Pass {
  readonly token: string | null;
  keep(token: string): void;
  lose(): void;
}

export function createPass(storage: () => Storage = () => sessionStorage): Pass {
  let token = attempt(() => storage().getItem(KEY), null);
  return {
    get token() {
      return token;
    },
    keep(given) {
      token = given;
      attempt(() => storage().setItem(KEY, given));
    },
    lose() {
      token = null;
      attempt(() => storage().removeItem(KEY));
    },
  };
}

/** A fragment that is no place on the page: the code of a one-time link. */
export function isCode(hash: string): boolean {
  return /^#[\w-]{20,}$/.test(hash);
}

/** The code of the link by which the page was opened, which then no longer stands in the address. */
export function takeCode(): string | null {
  if (!isCode(location.hash)) return null;
  const code = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  return code;
}

/** A token for the code; null if the code was used or is too old. Throws when nobody answers. */
export async function enter(path: string, code: string): Promise<string | null> {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (!answer.ok) return null;
  const body: unknown = await answer.json();
  return isRecord(body) && typeof body.token === 'string' ? body.token : null;
}
