// How the last commands of a tab went, for its panel.
import type { Outcome } from '../shared/messages';

const MOST = 50;
/** Pictures are large, so only so many of them stay. */
const PICTURES = 3;

export function createOutcomes() {
  let outcomes: Outcome[] = [];
  return {
    add(outcome: Outcome): void {
      let pictures = 0;
      outcomes = [outcome, ...outcomes].slice(0, MOST).map((each) => {
        if (!hasPicture(each.result)) return each;
        pictures += 1;
        return pictures > PICTURES ? { ...each, result: { ...each.result, data: '' } } : each;
      });
    },
    get all(): Outcome[] {
      return outcomes;
    },
  };
}

const hasPicture = (result: unknown): result is { data: string } =>
  typeof result === 'object' && result !== null && 'data' in result && 'mime' in result;
