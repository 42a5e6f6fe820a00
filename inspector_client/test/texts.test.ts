import { expect, test, vi } from 'vitest';
import type { SourceInfo } from '../src/protocol';
import { aboutText } from '../src/ui/texts';
import { context } from './fakes';

const open = vi.fn();
const wordsOf = (parts: (Node | string)[]) =>
  parts.map((part) => (typeof part === 'string' ? part : part.textContent)).join('');

test('an element is told by its tag, component and place', () => {
  expect(wordsOf(aboutText(context(), open))).toBe('<button> Card · src/App.tsx:3');
});

test('an area is told by its number of elements too', () => {
  const area = { bounds: { x: 0, y: 0, width: 1, height: 1 }, total: 60, elements: [] };
  expect(wordsOf(aboutText({ ...context(), area }, open))).toContain(' · 60 elements');
});

test('an inspection of which nothing is known has words all the same', () => {
  expect(wordsOf(aboutText({ sourceInfo: {} as SourceInfo }, open))).toBe('<?> ');
});

test('a place in the project is a button that says what it opens, any other is a text', () => {
  const linkOf = (file: string) => {
    const { sourceInfo } = context();
    const parts = aboutText({ sourceInfo: { ...sourceInfo, file } }, open);
    return parts.find((part) => part instanceof HTMLButtonElement);
  };
  expect(linkOf('src/App.tsx')?.ariaLabel).toBe('Open src/App.tsx:3 in editor');
  for (const file of ['node_modules/ui/a.js', '../other/a.tsx', ''])
    expect(linkOf(file)).toBeUndefined();
});
