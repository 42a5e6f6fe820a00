import type { Place, Resolved } from '../protocol';

const KEPT_MS = 5000;
const KEPT_PLACES = 500;

export type Resolve = (places: (Place | null)[]) => Promise<(Resolved | null)[]>;

interface Waiting {
  place: Place;
  answer: Promise<Resolved | null>;
  settle(resolved: Resolved | null): void;
  fail(error: unknown): void;
}

/** Asks the dev server for places: all of one moment together, each once, and remembers for a few seconds. */
export function createResolver(post: (body: { places: Place[] }) => Promise<unknown>): Resolve {
  const kept = new Map<string, { answer: Promise<Resolved | null>; until: number }>();
  let waiting: Waiting[] = [];

  async function ask(): Promise<void> {
    const batch = waiting;
    waiting = [];
    try {
      const { places } = (await post({ places: batch.map(({ place }) => place) })) as {
        places: (Resolved | null)[];
      };
      batch.forEach((one, index) => {
        one.settle(places[index] ?? null);
      });
    } catch (error) {
      kept.clear();
      for (const one of batch) one.fail(error);
    }
  }
  function enqueue(place: Place): Promise<Resolved | null> {
    const { promise, resolve, reject } = deferred<Resolved | null>();
    if (waiting.length === 0) queueMicrotask(() => void ask());
    waiting.push({ place, answer: promise, settle: resolve, fail: reject });
    return promise;
  }
  function lookUp(place: Place | null): Promise<Resolved | null> | null {
    if (!place) return null;
    const key = JSON.stringify(place);
    const known = kept.get(key);
    if (known && known.until > Date.now()) return known.answer;
    const answer = enqueue(place);
    if (kept.size >= KEPT_PLACES) kept.clear();
    kept.set(key, { answer, until: Date.now() + KEPT_MS });
    return answer;
  }
  return (places) => Promise.all(places.map(lookUp));
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
