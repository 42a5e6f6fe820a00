// Between the browser and the page: what the user does with Pageside itself, or while he picks, stays here.

const KEYS = ['keydown', 'keypress', 'keyup'];
const FOCUS = ['focus', 'blur', 'focusin', 'focusout'];
const MOVES = 'move over out enter leave';
const POINTER = [
  ...['down', 'up', 'cancel', ...MOVES.split(' ')].map((what) => `pointer${what}`),
  ...['down', 'up', ...MOVES.split(' ')].map((what) => `mouse${what}`),
  ...['start', 'end', 'move', 'cancel'].map((what) => `touch${what}`),
  ...['click', 'auxclick', 'dblclick', 'contextmenu', 'dragstart', 'selectstart', 'wheel'],
];
const TEXT = ['beforeinput', 'input', 'change', 'paste', 'copy', 'cut'];
const TEXT_IN = ['compositionstart', 'compositionupdate', 'compositionend'];
const OWN_ONLY = [...TEXT, ...TEXT_IN];
/** Listening for these in earnest would slow the page's scrolling. */
const PASSIVE = ['touchstart', 'touchmove', 'wheel'];
const LAST_OF_CLICK = ['click', 'auxclick', 'contextmenu'];
const DRAIN_MS = 350;

type Handler = (event: Event) => void;
/** True: the event is ours, the page must not see it. */
export type KeyWatcher = (event: KeyboardEvent) => boolean;

const handlers = new WeakMap<EventTarget, Record<string, Handler>>();

/** How the overlay's own elements listen: real listeners would need events that the page sees as well. */
export function listen(target: EventTarget, own: Record<string, Handler>): void {
  handlers.set(target, { ...handlers.get(target), ...own });
}

export interface Gate {
  start(): void;
  stop(): void;
  /** While taken, the page gets no input at all; `handler` gets it. Returns the release. */
  take(handler: Handler): () => void;
  /** Listens in another window (a shield's) as in this one. */
  join(view: Window): void;
  onKey(watcher: KeyWatcher): void;
  onTouched(listener: () => void): void;
}

export function createGate(isOwn: (target: EventTarget | null) => boolean): Gate {
  let taken: Handler | null = null;
  let drainUntil = 0;
  const swallowedKeys = new Set<string>();
  const keyWatchers: KeyWatcher[] = [];
  const touchedListeners: (() => void)[] = [];

  function onEvent(event: Event): void {
    // A script's own events neither decide anything here nor are they any of our business.
    if (!event.isTrusted) return;
    const own = event.composedPath().some(isOwn);
    if (FOCUS.includes(event.type)) return onFocus(event, own);
    if (taken && !(own && !isPickerKey(event))) {
      if (OWN_ONLY.includes(event.type) && !own) return;
      swallow(event);
      taken(event);
    } else if (own) {
      noteKey(event);
      event.stopImmediatePropagation();
      route(event);
    } else onPageEvent(event);
  }
  function onFocus(event: Event, own: boolean): void {
    if (own || isOwn((event as FocusEvent).relatedTarget)) event.stopImmediatePropagation();
  }
  function onPageEvent(event: Event): void {
    if (isRest(event)) return swallow(event);
    if (event.type === 'pointerdown' || event.type === 'keydown')
      for (const listener of touchedListeners) listener();
    if (event.type !== 'keydown') return;
    if (keyWatchers.some((watcher) => watcher(event as KeyboardEvent))) swallow(event);
  }
  /** The end of what began while taken: the click of the press that picked, the release of the key that did. */
  function isRest(event: Event): boolean {
    if (KEYS.includes(event.type))
      return event.type !== 'keydown' && swallowedKeys.has((event as KeyboardEvent).code);
    if (performance.now() > drainUntil || !POINTER.includes(event.type)) return false;
    if (LAST_OF_CLICK.includes(event.type)) drainUntil = 0;
    return true;
  }
  /** The page must not see the release of a key that it did not see pressed. */
  function noteKey(event: Event): void {
    if (event.type === 'keydown') swallowedKeys.add((event as KeyboardEvent).code);
    if (event.type === 'keyup') swallowedKeys.delete((event as KeyboardEvent).code);
  }
  function swallow(event: Event): void {
    noteKey(event);
    event.stopImmediatePropagation();
    if (!PASSIVE.includes(event.type)) event.preventDefault();
  }
  function add(view: Window): void {
    for (const type of [...KEYS, ...FOCUS, ...POINTER, ...OWN_ONLY])
      view.addEventListener(type, onEvent, { capture: true, passive: PASSIVE.includes(type) });
  }

  return {
    start: () => add(window),
    stop() {
      for (const type of [...KEYS, ...FOCUS, ...POINTER, ...OWN_ONLY])
        window.removeEventListener(type, onEvent, { capture: true });
    },
    take(handler) {
      taken = handler;
      return () => {
        if (taken !== handler) return;
        taken = null;
        drainUntil = performance.now() + DRAIN_MS;
      };
    },
    join: add,
    onKey: (watcher) => void keyWatchers.push(watcher),
    onTouched: (listener) => void touchedListeners.push(listener),
  };
}

/** While picking, these drive the picker wherever the focus is. */
function isPickerKey(event: Event): boolean {
  return KEYS.includes(event.type) && (event as KeyboardEvent).key !== 'Tab';
}

/** Bubbles through the overlay's own elements, from the innermost out. */
function route(event: Event): void {
  const path = event.composedPath();
  // Pressing a button of ours must not take the focus away from the page.
  if (event.type === 'mousedown' && !path.some(isTextField)) event.preventDefault();
  for (const target of path) handlers.get(target)?.[event.type]?.(event);
}

export function isTextField(target: EventTarget | undefined | null): boolean {
  const element = target as HTMLElement | null | undefined;
  return (
    ['input', 'textarea', 'select'].includes(element?.localName ?? '') ||
    element?.isContentEditable === true
  );
}
