import type { Place, Resolved } from '../protocol';

type Answer = Promise<Resolved | null>;
export type Resolve = (places: (Place | null)[]) => Promise<(Resolved | null)[]>;

/** Asks the dev server for places: all of one moment together, each once. Files change: no answer is kept. */
export function createResolver(post: (body: { places: Place[] }) => Promise<unknown>): Resolve {
  let batch = new Map<string, Place>();
  let answers: Promise<Map<string, Resolved | null>> | undefined;

  async function ask(): Promise<Map<string, Resolved | null>> {
    // Whoever asks in the same moment comes along.
    await null;
    const asked = batch;
    batch = new Map();
    answers = undefined;
    const { places } = (await post({ places: [...asked.values()] })) as {
      places: (Resolved | null)[];
    };
    return new Map([...asked.keys()].map((key, index) => [key, places[index] ?? null]));
  }
  async function lookUp(place: Place | null): Answer {
    if (!place) return null;
    const key = JSON.stringify(place);
    batch.set(key, place);
    answers ??= ask();
    return (await answers).get(key) ?? null;
  }
  return (places) => Promise.all(places.map(lookUp));
}
