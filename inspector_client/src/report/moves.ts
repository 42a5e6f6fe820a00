import { redactUrl } from '../element/redact';
import type { Tell } from '../reports';

/** Tells when the page shows another URL without being loaded anew. */
export function watchMoves(tell: Tell): void {
  let before = location.href;
  const moved = (type: string) => () => note(type);
  function note(type: string): void {
    const { href } = location;
    if (href !== before) tell({ event: 'navigated', url: redactUrl(href), type });
    before = href;
  }
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener('currententrychange', (event) =>
    note((event as Event & { navigationType?: string }).navigationType ?? 'replace'),
  );
  addEventListener('popstate', moved('traverse'));
  addEventListener('hashchange', moved('hash'));
}
