import { describe, expect, test } from 'vitest';
import type { InspectionItem } from '../src/protocol';
import { MAX_CHARS, read, UnreadableFile, written } from '../src/workbench/exchange/format';
import { markdownOf, markdownOfAll } from '../src/workbench/exchange/markdown';
import { context, createTabs, item } from './fakes';

const NOW = 1_700_000_000_000;
const whole = item('whole', {
  intent: 'fix',
  severity: 'high',
  timestamp: NOW - 9,
  sketch: {
    shapes: [
      {
        kind: 'arrow',
        points: [
          [-3, 4],
          [50, 60],
        ],
      },
    ],
  },
  area: {
    bounds: { x: 1, y: 2, width: 3, height: 4 },
    total: 7,
    elements: [{ selector: 'b', file: 'a.ts', line: 1, column: 2, component: 'B', tag: 'b' }],
  },
  quote: { exact: 'Save', prefix: '', suffix: ' now' },
  replies: [
    { id: 'r1', from: 'agent', name: 'Ada', text: 'Which one?', at: NOW - 5, kind: 'question' },
  ],
  status: 'failed',
  message: 'No such file.',
  agent: 'Ada',
  order: 5,
  progress: { steps: [{ id: 1, title: 'Look', status: 'failed' }] },
});
const fileOf = (...items: unknown[]) =>
  JSON.stringify({ pageside: 'inspections', version: 1, project: 'shop', items });

describe('a file', () => {
  test('brings back what was exported', () => {
    const { items, wrong, project } = read(written([whole, item('x')], 'shop', NOW), NOW);
    expect({ wrong, project }).toEqual({ wrong: [], project: 'shop' });
    const { rev: _, updated: __, ...same } = whole;
    expect(items[0]).toEqual({ ...same, rev: 0, updated: NOW });
    expect(items[1]).toMatchObject({ id: 'x', description: 'about x', status: 'pending' });
  });
  test('has nobody at work on what it brings', () => {
    const { items } = read(fileOf(item('x', { status: 'in-progress' })), NOW);
    expect(items[0]?.status).toBe('pending');
  });
  test.each([
    ['', /no JSON/],
    ['{', /no JSON/],
    ['[]', /no inspections/],
    ['null', /no inspections/],
    ['{"pageside":"inspections","version":1,"items":{}}', /no inspections/],
    ['{"pageside":"inspections","version":2,"items":[]}', /another version/],
    [fileOf(...Array(2001).fill(0)), /more than 2000/],
    [' '.repeat(MAX_CHARS + 1), /too large/],
  ])('that is none of ours is refused: %#', (text, why) => {
    expect(() => read(text, NOW)).toThrow(UnreadableFile);
    expect(() => read(text, NOW)).toThrow(why);
  });
  test.each<[string, unknown, string]>([
    ['what is no object', 'x', 'no inspection'],
    ['no id', { id: undefined }, 'id'],
    ['a hostile id', { id: '"><img src=x>' }, 'id'],
    ['a number for a note', { description: 5 }, 'description'],
    ['an endless note', { description: 'x'.repeat(10_001) }, 'description'],
    ['an unknown status', { status: '__proto__' }, 'status'],
    ['a deleted one', { status: 'deleted' }, 'status'],
    ['no source', { sourceInfo: null }, 'sourceInfo'],
    ['an object for a file', { sourceInfo: { file: {} } }, 'sourceInfo.file'],
    ['a text for a tag', { sourceInfo: { elementInfo: 'b' } }, 'sourceInfo.elementInfo'],
    [
      'a box of nothing',
      { sourceInfo: { elementInfo: { boundingBox: { x: 'a' } } } },
      'sourceInfo.elementInfo.boundingBox',
    ],
    ['no selector', { selector: 1 }, 'selector'],
    ['a text for a time', { timestamp: 'now' }, 'timestamp'],
    ['an unknown intent', { intent: 'destroy' }, 'intent'],
    ['an unknown severity', { severity: 3 }, 'severity'],
    ['steps of nothing', { progress: { steps: [{ status: 'odd' }] } }, 'progress'],
    ['replies of nothing', { replies: [{}] }, 'replies'],
    ['an area of nothing', { area: { bounds: 1 } }, 'area'],
    ['a quote of nothing', { quote: { exact: 1 } }, 'quote'],
    ['an empty sketch', { sketch: { shapes: [] } }, 'sketch'],
    [
      'markup for a shape',
      { sketch: { shapes: [{ kind: 'pen', points: [['<svg onload=x>', 1]] }] } },
      'sketch',
    ],
    ['a shape miles away', { sketch: { shapes: [{ kind: 'pen', points: [[1e9, 0]] }] } }, 'sketch'],
    [
      'a shape without an end',
      { sketch: { shapes: [{ kind: 'box', points: [[1, 0]] }] } },
      'sketch',
    ],
    ['too much', { sourceInfo: { html: 'x'.repeat(300_000) } }, 'too large'],
  ])('with %s loses that item only, and says why', (_, more, why) => {
    const bad = typeof more === 'object' ? { ...item('bad'), ...more } : more;
    const { items, wrong } = read(fileOf(bad, item('good')), NOW);
    expect(items.map(({ id }) => id)).toEqual(['good']);
    expect(wrong).toEqual([`item 1: ${why}`]);
  });
  test('brings nothing but what is known', () => {
    const text = fileOf({ ...item('x'), unsent: [{}], project: 'other', refused: 'x', evil: 1 });
    const [found] = read(text.replace('"evil"', '"__proto__"'), NOW).items;
    expect(Object.keys(found as InspectionItem)).not.toEqual(
      expect.arrayContaining(['unsent', 'project', 'refused', 'evil', '__proto__']),
    );
  });
});

test('a queue takes in what it does not have; what was deleted comes back as another', () => {
  const queue = createTabs().open();
  queue.joined('home', []);
  const { id } = queue.add(context(), 'here already');
  const here = queue.items()[0] as InspectionItem;
  expect(queue.bring(here)).toBe(false);
  expect(queue.bring(whole)).toBe(true);
  expect(queue.bring(whole)).toBe(false);
  expect(queue.items().find((one) => one.id === 'whole')).toMatchObject({
    ...whole,
    rev: 0,
    updated: expect.anything(),
  });
  queue.remove([id]);
  expect(queue.bring(here)).toBe(true);
  const again = queue.items().find(({ description }) => description === 'here already');
  expect(again?.id).not.toBe(id);
  expect(queue.unsent()).toContainEqual(
    expect.objectContaining({
      kind: 'create',
      restore: true,
      item: expect.objectContaining({ id: 'whole' }),
    }),
  );
});

describe('an inspection as Markdown', () => {
  test('says what is wanted, where and of what', () => {
    const about = { backgroundColor: 'rgb(1, 2, 3)', opacity: '1', fontSize: '16px' };
    const { sourceInfo } = whole;
    const elementInfo = { ...sourceInfo.elementInfo, computedStyles: { all: about } };
    expect(markdownOf({ ...whole, sourceInfo: { ...sourceInfo, elementInfo } })).toBe(
      [
        '### \\<button\\> Card · src/App.tsx:3:5',
        '',
        '> about whole',
        '',
        '- Wanted: fix, high severity',
        '- Source: `src/App.tsx:3:5`',
        '- Component: `Card`',
        '- Selector: `button`',
        '- Page: `http://localhost:5173/`',
        '- Selected text: `Save`',
        '- Text: `Save`',
        '- Area: 7 elements',
        '- Size: 10 × 10 px',
        '- Styles: `background-color: rgb(1, 2, 3); font-size: 16px; opacity: 1`',
        "- Sketch: arrow from -3,4 to 50,60 (px from the element's upper left corner)",
      ].join('\n'),
    );
  });
  test('keeps words of the page from being Markdown', () => {
    const { sourceInfo } = item('x');
    const elementInfo = { ...sourceInfo.elementInfo, textContent: 'a ``b`\n# c' };
    const text = markdownOf({
      ...item('x', { description: 'first\n## second' }),
      selector: '`x`',
      sourceInfo: { ...sourceInfo, component: '<b>*x*', elementInfo },
    });
    expect(text).toContain('### \\<button\\> \\<b\\>\\*x\\* ·');
    expect(text).toContain('> first\n> ## second');
    expect(text).toContain('- Text: ```a ``b` # c```');
    expect(text).toContain('- Selector: `` `x` ``');
  });
  test('of which nothing is known has words all the same', () => {
    const bare = item('x', { description: '', selector: '', url: '' });
    expect(markdownOf({ ...bare, sourceInfo: {} as InspectionItem['sourceInfo'] })).toBe(
      '### \\<?\\>',
    );
  });
  test('of several is one below the other', () => {
    expect(markdownOfAll([item('a'), item('b')]).split('\n---\n')).toHaveLength(2);
  });
});
