import { expect, it } from 'vitest';
import { createOutcomes } from '../../src/background/outcomes';
import { MOST_OUTCOMES } from '../../src/shared/messages';
import { anOutcome } from '../state';

const shot = (id: string) =>
  anOutcome(id, {
    command: 'kapturemcp_screenshot',
    result: { name: id, mime: 'image/png', data: `data of ${id}`, width: 1, height: 1 },
  });
const ids = (outcomes: { id: string }[]) => outcomes.map(({ id }) => id);

it('are told the newest first, only those that came since', () => {
  const outcomes = createOutcomes();
  for (const id of ['one', 'two']) outcomes.add(anOutcome(id));
  const known = outcomes.count;
  expect(ids(outcomes.after(0))).toEqual(['two', 'one']);
  expect(outcomes.after(known)).toEqual([]);
  outcomes.add(anOutcome('three'));
  expect(ids(outcomes.after(known))).toEqual(['three']);
});

it('are told as far as they are kept', () => {
  const outcomes = createOutcomes();
  for (let n = 1; n <= MOST_OUTCOMES + 10; n += 1) outcomes.add(anOutcome(String(n)));
  expect(ids(outcomes.after(5))).toHaveLength(MOST_OUTCOMES);
  expect(ids(outcomes.after(MOST_OUTCOMES + 8))).toEqual(['60', '59']);
});

it('have no pictures with them; the last three can be read', () => {
  const outcomes = createOutcomes();
  for (const id of ['a', 'b', 'c', 'd']) outcomes.add(shot(id));
  expect(JSON.stringify(outcomes.after(0))).not.toContain('data of');
  expect(outcomes.after(0)[0]?.result).toMatchObject({ name: 'd', data: '', width: 1 });
  expect(['a', 'b', 'd'].map(outcomes.picture)).toEqual(['', 'data of b', 'data of d']);
});
