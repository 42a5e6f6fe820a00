import { expect, it } from 'vitest';
import { jsonTree } from '../src/ui/json-tree';

it('shows values as JSON writes them', () => {
  const tree = jsonTree({ text: 'a "b"\n', none: null, yes: true, list: [1] });
  const values = [...tree.querySelectorAll('.value')].map(({ textContent }) => textContent);
  expect(values).toEqual(['"a \\"b\\"\\n"', 'null', 'true', '1']);
});

it('makes what is deep only when it is opened', () => {
  const tree = jsonTree({ a: { b: { c: { d: 1 } } } });
  expect(tree.textContent).not.toContain('d: ');
  const inner = [...tree.querySelectorAll('details')].find((each) => !each.open);
  if (!inner) throw new Error('All is open.');
  inner.open = true;
  inner.dispatchEvent(new Event('toggle'));
  expect(inner.textContent).toContain('d: ');
});

it('shows a long list by and by', () => {
  const tree = jsonTree(Array.from({ length: 250 }, (_, index) => index));
  const [top] = tree.querySelectorAll('details');
  if (!top) throw new Error('No list.');
  top.open = true;
  top.dispatchEvent(new Event('toggle'));
  const count = () => tree.querySelectorAll('.value').length;
  expect(count()).toBe(100);
  tree.querySelector('button')?.click();
  expect(count()).toBe(200);
  tree.querySelector('button')?.click();
  expect(count()).toBe(250);
  expect(tree.querySelector('button')).toBe(null);
});

it('takes markup for text', () => {
  expect(jsonTree({ '<b>': '<img src=x>' }).querySelector('b, img')).toBe(null);
});
