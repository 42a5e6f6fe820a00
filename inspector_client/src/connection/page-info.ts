import { redactUrl } from '../element/redact';
import type { PageInfo } from '../protocol';

export function readPageInfo(): PageInfo {
  return {
    url: redactUrl(location.href),
    title: document.title,
    visible: document.visibilityState === 'visible',
    focused: document.hasFocus(),
    viewport: { width: innerWidth, height: innerHeight, devicePixelRatio },
    userAgent: navigator.userAgent,
  };
}

const SETTLE_MS = 200;
const USED_EVERY_MS = 3000;

/** Reports that the page's info may have changed, and that the user touched the page. Returns the latter's source. */
export function watchPageInfo(report: (used: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastUsed = Number.NEGATIVE_INFINITY;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(report, SETTLE_MS, false);
  };
  for (const type of ['focus', 'blur', 'popstate', 'hashchange', 'resize', 'visibilitychange'])
    addEventListener(type, changed);
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener('currententrychange', changed);
  const head = { childList: true, characterData: true, subtree: true };
  new MutationObserver(changed).observe(document.head, head);
  return () => {
    const now = performance.now();
    if (now - lastUsed < USED_EVERY_MS) return;
    lastUsed = now;
    report(true);
  };
}
