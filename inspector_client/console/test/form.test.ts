import { expect, test } from 'vitest';
import { createState } from '../../src/basics';
import type { Args } from '../src/tools/check';
import { createForm } from '../src/tools/form';

function setUp(properties: object, given: Args = {}, required: string[] = []) {
  const args = createState<Args>(given);
  const form = createForm({ type: 'object', properties, required }, args, () => undefined);
  document.body.replaceChildren(form.element);
  const find = <T extends Element>(selector: string) =>
    document.querySelector<T>(selector) as T & HTMLInputElement;
  const type = (selector: string, text: string) => {
    const field = find<HTMLInputElement>(selector);
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const choose = (selector: string, value: string) => {
    const field = find<HTMLSelectElement>(selector);
    field.value = value;
    field.dispatchEvent(new Event('change'));
  };
  const press = (selector: string) => find<HTMLButtonElement>(selector).click();
  return { args, form, find, type, choose, press };
}

test('what is written becomes an argument, and nothing becomes none', () => {
  const { args, type } = setUp({ url: { type: 'string' } });
  type('input', 'http://a');
  expect(args.value).toEqual({ url: 'http://a' });
  type('input', '');
  expect(args.value).toEqual({});
});

test('a required text may be empty, once somebody has written there', () => {
  const { args, type } = setUp({ value: { type: 'string' } }, {}, ['value']);
  expect(args.value).toEqual({});
  type('input', 'a');
  type('input', '');
  expect(args.value).toEqual({ value: '' });
});

test('numbers are numbers, and what is none stays as it was written', () => {
  const { args, type, form, find } = setUp({ count: { type: 'integer' } });
  type('input', '12');
  expect(args.value).toEqual({ count: 12 });
  type('input', 'many');
  expect(args.value).toEqual({ count: 'many' });
  expect([...form.complain()]).toEqual([['count', 'A whole number is needed.']]);
  expect(find('input').getAttribute('aria-invalid')).toBe('true');
  expect(document.querySelector('.problem')?.textContent).toBe('A whole number is needed.');
});

test('text or number is what it looks like', () => {
  const { args, type } = setUp({ tab: { type: ['integer', 'string'] } });
  type('input', '3');
  expect(args.value).toEqual({ tab: 3 });
  type('input', '3rd');
  expect(args.value).toEqual({ tab: '3rd' });
});

test('a box says nothing as long as it is as by default', () => {
  const { args, find } = setUp({ clear: { type: 'boolean', default: true } });
  expect(find('input').checked).toBe(true);
  find('input').click();
  expect(args.value).toEqual({ clear: false });
  find('input').click();
  expect(args.value).toEqual({});
});

test('a choice keeps the kind of its values', () => {
  const { args, choose } = setUp({ ratio: { enum: [1, 2, 'auto'], default: 1 } });
  choose('select', '1');
  expect(args.value).toEqual({ ratio: 2 });
  choose('select', '');
  expect(args.value).toEqual({});
});

test('rows are added, filled and removed', () => {
  const { args, type, press } = setUp({ names: { type: 'array', items: { type: 'string' } } });
  press('.field > div > button');
  press('.field > div > button');
  type('.value-row:nth-child(2) input', 'b');
  type('.value-row:nth-child(1) input', 'a');
  expect(args.value).toEqual({ names: ['a', 'b'] });
  press('.value-row:nth-child(1) button');
  expect(args.value).toEqual({ names: ['b'] });
  press('.value-row button');
  expect(args.value).toEqual({});
});

test('several of a few are chosen', () => {
  const { args, find } = setUp({ kinds: { type: 'array', items: { enum: ['a', 'b', 'c'] } } });
  find('label:nth-child(3) input').click();
  find('label:nth-child(1) input').click();
  expect(args.value).toEqual({ kinds: ['a', 'c'] });
});

test('what is nested is JSON, and half of it changes nothing', () => {
  const { args, type, form } = setUp({ bounds: { type: 'object' } });
  type('textarea', '{"x": 1}');
  type('textarea', '{"x": ');
  expect(args.value).toEqual({ bounds: { x: 1 } });
  expect(form.isUnreadable()).toBe(true);
  expect(form.complain().get('bounds')).toBe('This is no valid JSON.');
  type('textarea', '');
  expect(args.value).toEqual({});
});

test('one of several kinds: first the kind, then the value', () => {
  const { args, type, choose } = setUp({
    agent: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  });
  choose('select', '0');
  type('.variant input', 'Me');
  expect(args.value).toEqual({ agent: 'Me' });
  choose('select', '1');
  expect(args.value).toEqual({ agent: null });
  choose('select', '');
  expect(args.value).toEqual({});
});

test('arguments from elsewhere are shown, each in its field', () => {
  const { args, find } = setUp({
    url: { type: 'string' },
    clear: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' } },
    agent: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    size: { type: 'object' },
  });
  args.set({ url: 'x', clear: true, names: ['a', 'b'], agent: 'Me', size: { w: 1 }, more: 1 });
  expect(find('[type=text]').value).toBe('x');
  expect(find('[type=checkbox]').checked).toBe(true);
  expect(document.querySelectorAll('.value-row')).toHaveLength(2);
  expect(find('.variant input').value).toBe('Me');
  expect(find('textarea').value).toBe('{\n  "w": 1\n}');
  expect(args.value).toMatchObject({ more: 1 });
});

test('problems show where one was, and of all when it is run', () => {
  const { form, find } = setUp({ a: { type: 'string' }, b: { type: 'string' } }, {}, ['a', 'b']);
  const shown = () =>
    [...document.querySelectorAll<HTMLElement>('.problem')].filter(({ hidden }) => !hidden).length;
  expect(shown()).toBe(0);
  find('input').dispatchEvent(new Event('focusout', { bubbles: true }));
  expect(shown()).toBe(1);
  expect(form.complain().size).toBe(2);
  expect(shown()).toBe(2);
  expect(document.activeElement).toBe(find('input'));
});
