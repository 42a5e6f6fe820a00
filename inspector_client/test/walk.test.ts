import { beforeEach, expect, test } from 'vitest';
import { createDrag } from '../src/drag';
import { createWalk } from '../src/element/hit';
import { quoteOf } from '../src/workbench/quote';
import { wayTo } from '../src/workbench/tip';

const host = document.createElement('div');
const byId = (id: string) => document.getElementById(id) as HTMLElement;

beforeEach(() => {
  document.body.innerHTML = `
    <main id="main"><ul id="list" class="menu big"><li id="a">A</li><script></script><li id="b"><b id="word">B</b></li></ul></main>`;
  document.body.append(host);
});

test('down goes the way one came up, else to the first child', () => {
  const walk = createWalk(host);
  let at: Element = byId('word');
  for (const _ of [1, 2, 3]) at = walk.step(at, 'ArrowUp') ?? at;
  expect(at.id).toBe('main');
  for (const _ of [1, 2, 3]) at = walk.step(at, 'ArrowDown') ?? at;
  expect(at.id).toBe('word');
  expect(walk.step(at, 'ArrowDown')).toBeUndefined();
  expect(createWalk(host).step(byId('list'), 'ArrowDown')?.id).toBe('a');
});

test('sideways one meets what can be seen, and loses the way down', () => {
  const walk = createWalk(host);
  walk.step(byId('word'), 'ArrowUp');
  expect(walk.step(byId('b'), 'ArrowLeft')?.id).toBe('a');
  expect(walk.step(byId('a'), 'ArrowDown')).toBeUndefined();
  expect(walk.step(byId('a'), 'ArrowLeft')).toBeUndefined();
  expect(walk.step(byId('main'), 'ArrowRight')).toBeUndefined();
});

test('the way to an element is told by its nearest parents', () => {
  expect(wayTo(byId('word'))).toBe('… › main#main › ul#list › li#b');
  expect(wayTo(byId('main'))).toBe('html › body');
});

test('a drag is one from some pixels on, in whatever direction', () => {
  const drag = createDrag();
  expect(drag.to({ clientX: 50, clientY: 50 })).toBeNull();
  drag.begin({ clientX: 50, clientY: 50 });
  expect(drag.to({ clientX: 53, clientY: 48 })).toBeNull();
  expect(drag.to({ clientX: 20, clientY: 40 })).toEqual({ x: 20, y: 40, width: 30, height: 10 });
  expect(drag.to({ clientX: 51, clientY: 50 })).toEqual({ x: 50, y: 50, width: 1, height: 0 });
  drag.end();
  expect(drag.to({ clientX: 90, clientY: 90 })).toBeNull();
});

function quoted(html: string, from: [string, number], to: [string, number]) {
  document.body.innerHTML = html;
  const range = document.createRange();
  range.setStart(byId(from[0]).firstChild as Node, from[1]);
  range.setEnd(byId(to[0]).firstChild as Node, to[1]);
  return quoteOf(range);
}

test('a quote has its words and what stands around them', () => {
  const html = '<p id="p">One  two\n three <b id="b">four</b> five</p>';
  expect(quoted(html, ['p', 5], ['b', 2])).toEqual({
    exact: 'two three fo',
    prefix: 'One ',
    suffix: 'ur five',
  });
});

test('a quote is cut, and secrets are not in it', () => {
  const long = `<p id="p">${'x'.repeat(2000)}${'y'.repeat(2000)}</p>`;
  const { exact, prefix, suffix } = quoted(long, ['p', 1500], ['p', 3800]);
  expect([exact.length, prefix.length, suffix.length]).toEqual([1000, 64, 64]);
  const secret =
    '<div><output id="o" name="token">abc123</output> <span id="s">is yours</span></div>';
  expect(quoted(secret, ['o', 0], ['s', 2]).exact).toBe('[redacted] is');
});
