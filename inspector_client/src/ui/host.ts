import { OVERLAY_TAG, parentOf } from '../element/deep';
import { css } from './styles';

const MODAL = 'dialog:modal';

export interface Host {
  readonly element: HTMLElement;
  readonly root: ShadowRoot;
  /** Above everything that the page has put on top since. */
  raise(): void;
  /** Says how the whole overlay looks, where no page can reach it: `color-scheme`, for one. */
  style(property: string, value: string): void;
  start(): void;
}

export const isHost = (target: EventTarget | null): boolean =>
  (target as Element | null)?.localName === OVERLAY_TAG;

/**
 * The one element that is on the page, and how it stays there, on top and usable, whatever the page does. What opens the
 * document anew ends all listeners with it: `listen` is called whenever the page has thrown the overlay out.
 */
export function createHost(listen: () => void): Host {
  customElements.define(OVERLAY_TAG, class extends HTMLElement {});
  const element = document.createElement(OVERLAY_TAG);
  const root = element.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  element.lang = 'en';

  function style(property: string, value: string): void {
    (sheet.cssRules[0] as CSSStyleRule).style.setProperty(property, value, 'important');
  }
  function raise(): void {
    const home = settle();
    element.popover = 'manual';
    if (!element.showPopover) return;
    // As large as ever, and its boxes where things are, on a page whose own style zooms it.
    style('zoom', `${1 / (home.currentCSSZoom || 1)}`);
    if (element.matches(':popover-open')) element.hidePopover();
    element.showPopover();
  }
  /** A modal dialog makes all else inert, so we live in the topmost one while there is one. */
  function settle(): Element {
    const page = document.documentElement;
    const home = focusedModal(element) ?? [...document.querySelectorAll(MODAL)].at(-1) ?? page;
    // As some dialogs make all that lies beside them.
    element.inert = false;
    element.ariaHidden = null;
    if (!page || element.parentNode === home) return home;
    home.append(element);
    home.addEventListener('close', settle);
    follow();
    raise();
    return home;
  }
  function onToggle({ target, newState }: Partial<ToggleEvent>): void {
    if (target !== element && newState === 'open') raise();
  }
  function follow(): void {
    listen();
    document.addEventListener('toggle', onToggle, true);
    document.addEventListener('fullscreenchange', raise);
    // The only word that comes of a dialog in a shadow root.
    document.addEventListener('focusin', settle);
  }
  return {
    element,
    root,
    raise,
    style,
    start() {
      settle();
      const observer = new MutationObserver(settle);
      observer.observe(document, {
        childList: true,
        subtree: true,
        attributeFilter: ['open', 'inert', 'aria-hidden'],
      });
    },
  };
}

/** The topmost modal dialog has the focus, unless a click beside its fields took that away; then we are in it still. */
function focusedModal(host: Element): Element | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at || at === document.body) at = host;
  while (at && !at.matches(MODAL)) at = parentOf(at);
  return at;
}
