import { expect, it } from 'vitest';
import { jsonTree } from '../../ui/json-tree';

const buttons = (element: Element) => [...element.querySelectorAll('button')];
const values = (element: Element) => [...element.querySelectorAll('.value')];

function open(details: HTMLDetailsElement | undefined): void {
  if (!details || details.open) throw new Error('There is nothing to open.');
  details.open = true;
  details.dispatchEvent(new Event('toggle'));
}

it('shows values as JSON writes them', () => {
  const tree = jsonTree({ text: 'a "b"\n', none: null, yes: true, list: [1], nothing: [], no: {} });
  const told = ['"a \\"b\\"\\n"', 'null', 'true', '1', '[]', '{}'];
  expect(values(tree).map(({ textContent }) => textContent)).toEqual(told);
  expect(jsonTree(undefined).textContent).toBe('undefined');
});

it('opens what is short, and makes what is deep or long only when it is opened', () => {
  const list = Array.from({ length: 30 }, (_, index) => ({ index }));
  const tree = jsonTree({ list, a: { b: { c: { d: 1 } } } });
  const [top, long] = tree.querySelectorAll('details');
  expect([top?.open, long?.open, long?.querySelectorAll('details').length]).toEqual([
    true,
    false,
    0,
  ]);
  open(long);
  expect(long?.querySelectorAll('details')).toHaveLength(30);
  expect(tree.textContent).not.toContain('d: ');
  open([...tree.querySelectorAll('details')].at(-1));
  expect(tree.textContent).toContain('d: ');
});

it('shows a long list by and by', () => {
  const tree = jsonTree(Array.from({ length: 250 }, (_, index) => index));
  document.body.replaceChildren(tree);
  expect(values(tree)).toHaveLength(100);
  for (const count of [200, 250]) {
    buttons(tree)[0]?.click();
    expect(values(tree)).toHaveLength(count);
  }
  expect(document.activeElement?.textContent, 'the reader goes on there').toBe('200: 200');
  expect(buttons(tree)).toEqual([]);
});

it('cuts long texts until they are asked for', () => {
  const tree = jsonTree({ text: 'x'.repeat(5000) });
  expect(tree.textContent?.length).toBeLessThan(400);
  buttons(tree)[0]?.click();
  expect(tree.textContent).toContain('x'.repeat(5000));
});

it('takes markup for text', () => {
  expect(jsonTree({ '<b>': '<img src=x>' }).querySelector('b, img')).toBe(null);
});
