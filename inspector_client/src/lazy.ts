/** What is loaded when it is needed for the first time. */
export interface Lazy<T> {
  get(): Promise<T>;
  /** Starts to load: it will soon be needed. */
  prepare(): void;
  /** Null as long as it is not loaded. */
  now(): T | null;
}

/** A load that failed is tried again with the next need. */
export function createLazy<T>(load: () => Promise<T>): Lazy<T> {
  let loading: Promise<T> | undefined;
  let loaded: T | null = null;

  function get(): Promise<T> {
    loading ??= load().then(
      (value) => {
        loaded = value;
        return value;
      },
      (error) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  }
  return {
    get,
    prepare: () => void get().catch(() => null),
    now: () => loaded,
  };
}

/** Once the page is loaded and has nothing to do. */
export function whenIdle(action: () => void): void {
  const idle = globalThis.requestIdleCallback ?? setTimeout;
  if (document.readyState === 'complete') idle(action);
  else addEventListener('load', () => idle(action), { once: true });
}
