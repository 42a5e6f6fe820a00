import { css } from './styles';

export const TAG = 'pageside-overlay';

export interface Host {
  readonly element: HTMLElement;
  readonly root: ShadowRoot;
  /** Above everything that the page has put on top since. */
  raise(): void;
  start(): void;
}

export const isHost = (target: EventTarget | null): boolean =>
  (target as Element | null)?.localName === TAG;

/** The one element that is on the page, and how it stays there, on top and usable, whatever the page does. */
export function createHost(): Host {
  customElements.define(TAG, class extends HTMLElement {});
  const element = document.createElement(TAG);
  const root = element.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];

  function raise(): void {
    element.popover = 'manual';
    if (!element.isConnected || !element.showPopover) return;
    if (element.matches(':popover-open')) element.hidePopover();
    element.showPopover();
  }
  /** A modal dialog makes all else inert, so we live in the topmost one while there is one. */
  function settle(): void {
    const home = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.documentElement;
    if (element.parentNode === home) return;
    home.append(element);
    raise();
  }
  function onToggle({ target, newState }: Partial<ToggleEvent>): void {
    if (target === element || newState !== 'open') return;
    settle();
    raise();
  }
  return {
    element,
    root,
    raise,
    start() {
      settle();
      const observer = new MutationObserver(settle);
      observer.observe(document, { childList: true, subtree: true, attributeFilter: ['open'] });
      document.addEventListener('toggle', onToggle, true);
      document.addEventListener('fullscreenchange', raise);
    },
  };
}
