import { expect, test } from 'vitest';
import type { SourceInfo } from '../src/protocol';
import { aboutText } from '../src/ui/texts';
import { context } from './fakes';

const wordsOf = (parts: (Node | string)[]) =>
  parts.map((part) => (typeof part === 'string' ? part : part.textContent)).join('');

test('an element is told by its tag, component and place', () => {
  expect(wordsOf(aboutText(context()))).toBe('<button> Card · src/App.tsx:3');
});

test('an inspection of which nothing is known has words all the same', () => {
  expect(wordsOf(aboutText({ sourceInfo: {} as SourceInfo }))).toBe('<?> ');
});
