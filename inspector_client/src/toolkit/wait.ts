// Waits for a text or an element to be seen, or to be gone.
import { innerRoot, isShown, isVisible } from '../element/deep';
import { findBySelector } from './find';

const POLL_MS = 100;

export interface Awaited {
  texts?: string[];
  selector?: string;
  gone?: boolean;
}

/** Which of them is there (for `gone`: true as soon as none is), or null after the time. */
export async function waitFor(wanted: Awaited, timeoutMs: number): Promise<string | true | null> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = seen(wanted);
    if (wanted.gone ? !found : found) return found ?? true;
    const left = end - performance.now();
    if (left <= 0) return null;
    await nextChange(Math.min(POLL_MS, left));
  }
}

function seen({ texts = [], selector }: Awaited): string | null {
  if (selector) {
    const element = findBySelector(selector);
    return element && isVisible(element) ? selector : null;
  }
  return texts.find((text) => isSaid(document, text.replace(/\s+/g, ' ').trim())) ?? null;
}

function isSaid(root: Document | ShadowRoot, text: string): boolean {
  const start = 'body' in root ? root.body : root;
  if (!start) return false;
  if (isIn(start, text)) return true;
  for (const element of root.querySelectorAll('*')) {
    const inner = innerRoot(element);
    if (inner && isShown(element) && isSaid(inner, text)) return true;
  }
  return false;
}

function isIn(root: Element | ShadowRoot, text: string): boolean {
  if (!collapsed(root.textContent).includes(text)) return false;
  const inner = [...root.children].filter(({ localName }) => !/^(script|style)$/.test(localName));
  if (inner.some((child) => isIn(child, text))) return true;
  const isWhole = root.nodeType !== 1 || isShown(root as Element);
  // Split between its children: then what is drawn decides.
  const drawn = (root as Partial<HTMLElement>).innerText ?? collapsed(root.textContent);
  return isWhole && collapsed(drawn).includes(text);
}

const collapsed = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ');

/** The next change of the document, or the time: values and visibility change without a mutation. */
export function nextChange(ms: number): Promise<void> {
  return new Promise((done) => {
    const observer = new MutationObserver(finish);
    const timer = setTimeout(finish, ms);
    function finish(): void {
      observer.disconnect();
      clearTimeout(timer);
      requestAnimationFrame(() => done());
      setTimeout(done, POLL_MS);
    }
    observer.observe(document, { childList: true, subtree: true, characterData: true });
  });
}
