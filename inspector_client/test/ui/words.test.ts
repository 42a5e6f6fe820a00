import { expect, it } from 'vitest';
import { durationText } from '../../ui/words';

it.each([
  [-3, '0 ms'],
  [12.4, '12 ms'],
  [999.6, '1.0 s'],
  [1290, '1.2 s'],
  [59_999, '59.9 s'],
  [125_000, '2 min 5 s'],
])('%d ms are told as %s', (milliseconds, told) => {
  expect(durationText(milliseconds)).toBe(told);
});
