import { expect, test } from 'vitest';
import type { SourceInfo } from '../src/protocol';
import { aboutText } from '../src/ui/texts';
import { context } from './fakes';

const wordsOf = (parts: (Node | string)[]) =>
  parts.map((part) => (typeof part === 'string' ? part : part.textContent)).join('');

test('an element is told by its tag, component and place', () => {
  expect(wordsOf(aboutText(context()))).toBe('<button> Card · src/App.tsx:3');
});

test('an area is told by its number of elements too', () => {
  const area = { bounds: { x: 0, y: 0, width: 1, height: 1 }, total: 60, elements: [] };
  expect(wordsOf(aboutText({ ...context(), area }))).toContain(' · 60 elements');
});

test('an inspection of which nothing is known has words all the same', () => {
  expect(wordsOf(aboutText({ sourceInfo: {} as SourceInfo }))).toBe('<?> ');
});
