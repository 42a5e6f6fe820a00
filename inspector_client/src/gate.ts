// Between the browser and the page: what the user does with Pageside itself, or while he picks, stays here.
import { createSignal, type Signal } from './basics';
import { handlerOf } from './ui/listen';

const KEYS = 'keydown keypress keyup'.split(' ');
const FOCUS = 'focus blur focusin focusout'.split(' ');
/** Listening for these in earnest slows the page's scrolling: only while one picks. */
const PASSIVE = 'touchstart touchmove wheel'.split(' ');
const LAST_OF_CLICK = 'click auxclick contextmenu'.split(' ');
const BOTH = 'down up move over out enter leave'.split(' ');
const POINTER = [
  ...['pointer', 'mouse'].flatMap((device) => BOTH.map((what) => device + what)),
  ...'pointercancel touchend touchcancel dblclick dragstart selectstart'.split(' '),
  ...PASSIVE,
  ...LAST_OF_CLICK,
];
const TEXT = 'beforeinput input change paste copy cut'.split(' ');
const ALL = [...KEYS, ...FOCUS, ...POINTER, ...TEXT];
const TOUCHES = /^(pointer|key)down$/;
const DRAIN_MS = 350;

type Handler = (event: Event) => void;
/** True: the event is ours, the page must not see it. */
export type KeyWatcher = (event: KeyboardEvent) => boolean;

export interface Gate {
  /** Listens in a window from now on: the page's, or a shield's. */
  join(view: Window): void;
  /** While taken, the page gets no input at all; `handler` gets it. Returns the release. */
  take(handler: Handler): () => void;
  readonly touched: Signal<[]>;
}

export function createGate(
  isOwn: (target: EventTarget | null) => boolean,
  isShortcut: KeyWatcher,
): Gate {
  const touched = createSignal();
  const swallowedKeys = new Set<string>();
  let taken: Handler | null = null;
  let isPressed = false;
  let drainUntil = 0;

  function onEvent(event: Event): void {
    const { type } = event;
    // A script's own events neither decide anything here nor are they any of our business.
    if (!event.isTrusted) return;
    const own = event.composedPath().some(isOwn);
    if (TOUCHES.test(type)) touched.emit();
    if (FOCUS.includes(type)) onFocus(event as FocusEvent, own);
    else if (taken && (!own || isPickerKey(event))) onTaken(event, taken);
    else if (own) onOwn(event);
    else if (isRest(event) || isShortcut(event as KeyboardEvent)) swallow(event);
  }
  /** The page's own focus changes are its own; what comes to us or goes from us is not. */
  function onFocus(event: FocusEvent, own: boolean): void {
    if (own || isOwn(event.relatedTarget)) event.stopImmediatePropagation();
    // Another window gets the releases now.
    if (!document.hasFocus()) swallowedKeys.clear();
  }
  function onOwn(event: Event): void {
    // A key alone belongs to what has the focus.
    if (isHeld(event) && isShortcut(event as KeyboardEvent)) swallow(event);
    else {
      noteKey(event);
      event.stopImmediatePropagation();
      route(event);
    }
  }
  function onTaken(event: Event, handler: Handler): void {
    if (TEXT.includes(event.type)) return;
    swallow(event);
    if (event.type === 'pointerdown') isPressed = true;
    handler(event);
    if (/^pointer(up|cancel)$/.test(event.type)) isPressed = false;
  }
  /** The end of what began while taken: the click of the press that picked, the release of the key that did. */
  function isRest(event: Event): boolean {
    const { type, code, repeat } = event as KeyboardEvent;
    if (KEYS.includes(type)) {
      // Pressed anew, so its release got lost.
      if (type === 'keydown' && !repeat) swallowedKeys.delete(code);
      return swallowedKeys.has(code);
    }
    if (!POINTER.includes(type) || performance.now() > drainUntil) return false;
    if (LAST_OF_CLICK.includes(type)) drainUntil = 0;
    return true;
  }
  /** The page must not see the release of a key that it did not see pressed. */
  function noteKey(event: Event): void {
    const { code } = event as KeyboardEvent;
    if (event.type === 'keydown') swallowedKeys.add(code);
    if (event.type === 'keyup') swallowedKeys.delete(code);
  }
  function swallow(event: Event): void {
    noteKey(event);
    event.stopImmediatePropagation();
    // The page scrolls on while one picks; with Alt the wheel is the picker's.
    if (event.type !== 'wheel' || (event as WheelEvent).altKey || !isPage(event))
      event.preventDefault();
  }

  function listen(view: Window, types: string[], passive: boolean): void {
    for (const type of types) {
      view.removeEventListener(type, onEvent, true);
      view.addEventListener(type, onEvent, { capture: true, passive });
    }
  }

  return {
    touched,
    join(view) {
      listen(view, ALL, false);
      if (view === window) listen(view, PASSIVE, !taken);
    },
    take(handler) {
      taken = handler;
      listen(window, PASSIVE, false);
      return () => {
        taken = null;
        listen(window, PASSIVE, true);
        if (isPressed) drainUntil = performance.now() + DRAIN_MS;
        isPressed = false;
      };
    },
  };
}

const isHeld = (event: Event & Partial<KeyboardEvent>) =>
  event.altKey || event.ctrlKey || event.metaKey;

/** A shield scrolls what lies beneath by itself. */
const isPage = (event: Event) => (event as UIEvent).view === window;

/** While picking, these drive the picker wherever the focus is. */
function isPickerKey({ type, key }: Event & { key?: string }): boolean {
  return KEYS.includes(type) && key !== 'Tab';
}

/** Bubbles through the overlay's own elements, from the innermost out. */
function route(event: Event): void {
  const path = event.composedPath();
  // Pressing a button of ours must not take the focus away from the page.
  if (event.type === 'mousedown' && !path.some(isTextField)) event.preventDefault();
  for (const target of path) handlerOf(target, event.type)?.(event);
}

const TEXT_ROLES = /^(text|search|combo)box$/;
const NO_TEXT = /^(checkbox|radio|button|submit|reset|range|file)$/;

export function isTextField(target: EventTarget | undefined | null): boolean {
  const {
    localName = '',
    isContentEditable,
    type,
    role,
  } = (target ?? {}) as Partial<HTMLInputElement>;
  if (localName === 'input') return !NO_TEXT.test(type ?? '');
  return isContentEditable || /^(textarea|select)$/.test(localName) || TEXT_ROLES.test(role ?? '');
}
