// How the last commands of a tab went, for its views.
import { MOST_OUTCOMES, type Outcome } from '../shared/messages';

/** Pictures are large, so only so many of them stay. */
const PICTURES = 3;

export interface Outcomes {
  add(outcome: Outcome): void;
  /** How many there ever were. */
  readonly count: number;
  /** Those that came after the first `count`, as far as they are kept: the newest first, without their pictures. */
  after(count: number): Outcome[];
  /** Base64; the empty string if it is no longer kept. */
  picture(id: string): string;
}

export function createOutcomes(): Outcomes {
  let outcomes: Outcome[] = [];
  let count = 0;
  /** By the ids of their outcomes, the oldest first. */
  const pictures = new Map<string, string>();

  function withoutPicture(outcome: Outcome): Outcome {
    const { result, id } = outcome;
    if (!hasPicture(result)) return outcome;
    pictures.set(id, result.data);
    for (const old of [...pictures.keys()].slice(0, -PICTURES)) pictures.delete(old);
    return { ...outcome, result: { ...result, data: '' } };
  }
  return {
    add(outcome) {
      count += 1;
      outcomes = [withoutPicture(outcome), ...outcomes].slice(0, MOST_OUTCOMES);
    },
    get count() {
      return count;
    },
    after: (known) => outcomes.slice(0, count - known),
    picture: (id) => pictures.get(id) ?? '',
  };
}

const hasPicture = (result: unknown): result is { data: string } =>
  typeof result === 'object' && result !== null && 'data' in result && 'mime' in result;
