// How the overlay's own elements listen: real listeners would need events that the page sees as well.
type Handler = (event: Event) => void;
/** Not to be reached by the page: a script must not press the user's buttons. */
export type Listening = WeakMap<EventTarget, Record<string, Handler>>;

let listening: Listening = new WeakMap();

export function listen(target: EventTarget, own: Record<string, Handler>): void {
  listening.set(target, own);
}

export function handlerOf(target: EventTarget, type: string): Handler | undefined {
  return listening.get(target)?.[type];
}

/** What a part that is loaded later, with a copy of this module, has to join. */
export const currentListening = (): Listening => listening;

export function joinListening(first: Listening): void {
  listening = first;
}
