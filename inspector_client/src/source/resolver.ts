import type { Place, Resolved } from '../protocol';

const KEPT_MS = 5000;
const KEPT_PLACES = 500;

type Answer = Promise<Resolved | null>;
export type Resolve = (places: (Place | null)[]) => Promise<(Resolved | null)[]>;

/** Asks the dev server for places: all of one moment together, each once, and remembers for a few seconds. */
export function createResolver(post: (body: { places: Place[] }) => Promise<unknown>): Resolve {
  const kept = new Map<string, { answer: Answer; until: number }>();
  let batch: Place[] = [];
  let answers: Promise<(Resolved | null)[]> | undefined;

  async function ask(): Promise<(Resolved | null)[]> {
    // Whoever asks in the same moment comes along.
    await null;
    const places = batch;
    batch = [];
    answers = undefined;
    try {
      return ((await post({ places })) as { places: (Resolved | null)[] }).places;
    } catch (error) {
      kept.clear();
      throw error;
    }
  }
  async function enqueue(place: Place): Answer {
    const index = batch.push(place) - 1;
    answers ??= ask();
    return (await answers)[index] ?? null;
  }
  function lookUp(place: Place | null): Answer | null {
    if (!place) return null;
    const key = JSON.stringify(place);
    const known = kept.get(key);
    if (known && known.until > Date.now()) return known.answer;
    if (kept.size >= KEPT_PLACES) kept.clear();
    const answer = enqueue(place);
    kept.set(key, { answer, until: Date.now() + KEPT_MS });
    return answer;
  }
  return (places) => Promise.all(places.map(lookUp));
}
