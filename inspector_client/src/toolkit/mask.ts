// Covers what nobody else is to see (passwords, cards, codes, `data-private`) while a picture is taken.
import { boxOf, innerRoot, OVERLAY_TAG } from '../element/deep';
import { isSecretField } from '../element/redact';

const CANDIDATES = 'input,textarea,[data-private]';
const HOSTS = '*';

export interface Masks {
  /** Covers them, as long as there are any; how many. */
  maskSecrets(): number;
  unmaskSecrets(): void;
}

export function createMasks(): Masks {
  let host: HTMLElement | null = null;
  function unmask(): void {
    host?.remove();
    host = null;
  }
  return {
    maskSecrets() {
      unmask();
      const boxes = secrets(document).map(boxOf);
      if (!boxes.length) return 0;
      host = document.createElement('div');
      set(host, { all: 'initial', position: 'fixed', inset: '0', width: '100%', height: '100%' });
      set(host, { 'pointer-events': 'none', overflow: 'visible', 'z-index': '2147483647' });
      host.popover = 'manual';
      const root = host.attachShadow({ mode: 'closed' });
      for (const { x, y, width, height } of boxes) {
        const cover = document.createElement('div');
        const place = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
        set(cover, { position: 'absolute', background: '#777', ...place });
        root.append(cover);
      }
      // Inside the overlay's shadow root no observer of the page sees it.
      (document.querySelector(OVERLAY_TAG)?.shadowRoot ?? document.documentElement).append(host);
      host.showPopover();
      return boxes.length;
    },
    unmaskSecrets: unmask,
  };
}

function secrets(root: ParentNode): Element[] {
  const found = [...root.querySelectorAll(CANDIDATES)].filter(
    (element) => element.matches('[data-private]') || (hasValue(element) && isSecretField(element)),
  );
  for (const element of root.querySelectorAll(HOSTS)) {
    const inner = innerRoot(element);
    if (inner && element.localName !== OVERLAY_TAG) found.push(...secrets(inner));
  }
  return found;
}

const hasValue = (element: Element): boolean => !!(element as HTMLInputElement).value;

function set(element: HTMLElement, styles: Record<string, string>): void {
  for (const [name, value] of Object.entries(styles))
    element.style.setProperty(name, value, 'important');
}
