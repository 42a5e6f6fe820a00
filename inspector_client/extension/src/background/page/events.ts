// Chrome's events of one tab, to whoever asked for them.
export type Listener = (params: never, session: string | undefined) => void;

export interface Events {
  /** Returns what ends it. */
  on<T>(method: string, listener: (params: T, session: string | undefined) => void): () => void;
  tell(method: string, params: object, session: string | undefined): void;
}

export function createEvents(): Events {
  const listeners = new Map<string, Set<Listener>>();
  return {
    on(method, listener) {
      const own = listeners.get(method) ?? new Set();
      listeners.set(method, own.add(listener));
      return () => own.delete(listener);
    },
    tell(method, params, session) {
      for (const listener of [...(listeners.get(method) ?? [])]) listener(params as never, session);
    },
  };
}
