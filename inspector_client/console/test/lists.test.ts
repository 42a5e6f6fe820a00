import type { Tool } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { fakeStorage } from '../../test/fakes';
import { h } from '../../ui/dom';
import { joined, ofLevel } from '../src/overview/timeline';
import { createPass, isCode, takeCode } from '../src/session/entering';
import { groupsOf } from '../src/tools/groups';
import { keyedList } from '../src/ui/keyed';

const entry = (seq: number, level = 'info') => ({ seq, at: 0, kind: 'call', level, text: '' });
const tool = (name: string, description = '') => ({ name, description }) as Tool;

test('a list keeps its elements, its focus, and touches only what changed', () => {
  const list = h('ul');
  document.body.replaceChildren(list);
  const update = keyedList(
    list,
    (item: { id: number; text: string }) => item.id,
    ({ id, text }) => h('li', {}, h('a', { href: `#${id}` }, text)),
  );
  update([1, 2, 3].map((id) => ({ id, text: `t${id}` })));
  const [first, second, third] = [...list.children];
  third?.querySelector('a')?.focus();
  update([
    { id: 3, text: 'new' },
    { id: 1, text: 't1' },
    { id: 4, text: 't4' },
  ]);
  expect([...list.children].slice(0, 2)).toEqual([third, first]);
  expect(list.textContent).toBe('newt1t4');
  expect(second?.isConnected).toBe(false);
  update([{ id: 3, text: 'newer' }]);
  expect(document.activeElement).toBe(third?.querySelector('a'));
  expect(third?.textContent).toBe('newer');
});

test('items of one key are all shown', () => {
  const list = h('ul');
  const update = keyedList(
    list,
    () => 'same',
    (text: string) => h('li', {}, text),
  );
  update(['a', 'b']);
  expect(list.textContent).toBe('ab');
});

test('the timeline joins what it knew with what is told', () => {
  const known = [1, 2, 3].map((seq) => entry(seq));
  expect(joined(known, [entry(3), entry(4)]).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(joined(known, [])).toEqual(known);
  const many = Array.from({ length: 700 }, (_, seq) => entry(seq));
  expect(joined(many, [entry(700)])).toHaveLength(500);
});

test('a level shows itself and what is graver', () => {
  const all = ['debug', 'info', 'warning', 'error'].map((level, seq) => entry(seq, level));
  expect(ofLevel(all, 'warning').map(({ level }) => level)).toEqual(['warning', 'error']);
});

test('tools are grouped, and found by all words', () => {
  const sets = { chrome: ['chrome_click'], kapture: ['kapturemcp_click', 'kapturemcp_logs'] };
  const tools = [tool('chrome_click', 'Press'), tool('kapturemcp_logs'), tool('else')];
  expect(groupsOf(tools, sets).map(({ name }) => name)).toEqual(['kapture', 'chrome', 'other']);
  const found = groupsOf(tools, sets, 'PRESS click');
  expect(found.flatMap((group) => group.tools.map(({ name }) => name))).toEqual(['chrome_click']);
  expect(groupsOf(tools, sets, 'nothing')).toEqual([]);
});

test('a code leaves the address, and the token stays for the tab', () => {
  location.hash = `#${'c'.repeat(43)}`;
  expect(takeCode()).toBe('c'.repeat(43));
  expect(location.hash).toBe('');
  expect(isCode('#overview')).toBe(false);
  const { storage } = fakeStorage();
  createPass(() => storage).keep('token');
  const later = createPass(() => storage);
  expect(later.token).toBe('token');
  later.lose();
  expect(createPass(() => storage).token).toBeNull();
});
