import { isTextField, type KeyWatcher } from '../gate';
import { h, iconButton, on, textButton } from '../ui/dom';
import { texts } from '../ui/texts';
import { requestTexts } from './texts';

const ARROW = 'M5 12l5-5 5 5';
/** What the focus goes to: the first that answers. */
const FIRST = ['h2~* ', 'h2~'].map((at) => `${at}:is(button,textarea):enabled`).join();
/** Nothing is answered by a press that was meant for what lay there before. */
const SETTLE_MS = 300;

export interface CardContent {
  body: HTMLElement[];
  /** Its buttons, before the one that declines. */
  actions: HTMLElement[];
}

export interface CardParts<T> {
  agent?: string;
  /** Why the agent asks, in its own words. */
  reason?: string;
  title: string;
  /** Made once; any part of it may call `answer`. */
  content(answer: (value: T) => void): CardContent;
  /** What declining is called, where it is not "Not now". */
  decline?: string;
  /** Told when the card comes into sight, and when it goes. */
  shown?(isVisible: boolean): void;
  /** Keys that are pressed in the card, outside of its fields. */
  keys?: KeyWatcher;
  /** Also those that are pressed in the page while the card is in sight. */
  isEverywhere?: boolean;
}

/** What an agent wants of the user, on a card. `createRequests` shows it at its turn. */
export interface RequestCard<T> {
  readonly element: HTMLElement;
  /** For who cannot see it. */
  readonly words: string;
  /** Null: the user declines. */
  readonly answer: Promise<T | null>;
  /** Of the page. */
  keys: KeyWatcher;
  reveal(isVisible: boolean): void;
  /** How many come after it. */
  others(count: number): void;
  focus(): void;
}

let cards = 0;

export function createRequestCard<T>(parts: CardParts<T>): RequestCard<T> {
  const { agent = texts.someAgent, reason = '', decline = texts.decline } = parts;
  let resolve: (value: T | null) => void = () => undefined;
  const answer = new Promise<T | null>((settle) => {
    resolve = settle;
  });
  const refuse = () => resolve(null);
  let before: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  cards += 1;
  const [titleId, whyId] = [`request-${cards}`, `request-why-${cards}`];
  const others = h('span', 'muted');
  const title = h('h2', { id: titleId }, parts.title);
  const why = h('p', { id: whyId, class: 'muted' }, reason && requestTexts.why(reason));
  why.hidden = !reason;
  const { body, actions } = parts.content(resolve);
  const fold = iconButton(requestTexts.fold, ARROW, () => setFolded(fold.ariaExpanded === 'true'));
  const row = h('div', 'row answers', textButton(decline, refuse), ...actions);
  const element = on(
    h(
      'div',
      {
        class: 'request',
        role: 'dialog',
        tabindex: -1,
        hidden: true,
        'aria-labelledby': titleId,
        'aria-describedby': whyId,
      },
      h('div', 'row', h('b', 'grow', requestTexts.asks(agent)), others, fold),
      title,
      why,
      ...body,
      row,
    ),
    {
      pointerdown: remember,
      keydown: (event) => onKey(event as KeyboardEvent),
    },
  );
  /** Out of the way of what it is about; its question stays to be seen. */
  function setFolded(isFolded: boolean): void {
    element.classList.toggle('folded', isFolded);
    fold.ariaExpanded = String(!isFolded);
  }
  function onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    if (event.key === 'Escape') refuse();
    else if (!isTextField(event.composedPath()[0]) && parts.keys?.(event)) event.preventDefault();
  }
  /** Where the focus goes back to: wherever it was in the page. */
  function remember(): void {
    const { activeElement } = document;
    if (activeElement !== hostOf(element)) before = activeElement as HTMLElement | null;
  }
  function settle(): void {
    clearTimeout(timer);
    element.inert = false;
  }
  setFolded(false);

  return {
    element,
    words: `${requestTexts.asks(agent)}: ${parts.title} ${why.textContent}`,
    answer,
    keys: (event) => !!parts.isEverywhere && !!parts.keys?.(event),
    reveal(isVisible) {
      if (element.hidden !== isVisible) return;
      const hadFocus = element.matches(':focus-within');
      element.hidden = !isVisible;
      settle();
      if (isVisible) {
        element.inert = true;
        timer = setTimeout(settle, SETTLE_MS);
      } else if (hadFocus) before?.focus({ preventScroll: true });
      parts.shown?.(isVisible);
    },
    others(count) {
      others.textContent = count ? requestTexts.more(count) : '';
    },
    focus() {
      remember();
      settle();
      setFolded(false);
      const first = element.querySelector<HTMLElement>(FIRST);
      (first ?? element).focus({ preventScroll: true });
    },
  };
}

const hostOf = (element: Element) => (element.getRootNode() as ShadowRoot).host;
