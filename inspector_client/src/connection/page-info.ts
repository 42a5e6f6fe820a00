import { redactUrl } from '../element/redact';
import type { PageInfo } from '../protocol';

export function readPageInfo(): PageInfo {
  return {
    url: redactUrl(location.href),
    title: document.title,
    visible: document.visibilityState === 'visible',
    focused: document.hasFocus(),
    viewport: {
      width: innerWidth,
      height: innerHeight,
      devicePixelRatio,
    },
    userAgent: navigator.userAgent,
  };
}

const SETTLE_MS = 200;
const USED_EVERY_MS = 3000;

/** Reports what of the page's info changed, and that the user touched the page. */
export function watchPageInfo(report: (used: boolean) => void): {
  start(): void;
  stop(): void;
  touched(): void;
} {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastUsed = Number.NEGATIVE_INFINITY;
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => report(false), SETTLE_MS);
  };
  const head = new MutationObserver(changed);
  const sources: [EventTarget | undefined, string[]][] = [
    [window, ['focus', 'blur', 'popstate', 'hashchange', 'resize']],
    [document, ['visibilitychange']],
    [(window as { navigation?: EventTarget }).navigation, ['currententrychange']],
  ];
  return {
    start() {
      for (const [target, types] of sources)
        for (const type of types) target?.addEventListener(type, changed);
      if (document.head)
        head.observe(document.head, { childList: true, characterData: true, subtree: true });
    },
    stop() {
      for (const [target, types] of sources)
        for (const type of types) target?.removeEventListener(type, changed);
      head.disconnect();
      clearTimeout(timer);
    },
    touched() {
      const now = performance.now();
      if (now - lastUsed < USED_EVERY_MS) return;
      lastUsed = now;
      report(true);
    },
  };
}
