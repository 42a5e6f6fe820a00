import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTimeline } from '../src/overview/timeline';

const ROW_PX = 20;
const BOX_PX = 100;

/** A box of a hundred pixels with rows of twenty, which scrolls as a browser's does; events are sent by the tests. */
function laidOut(box: HTMLElement): void {
  let top = 0;
  const height = () => Math.max(BOX_PX, box.querySelectorAll('li').length * ROW_PX);
  Object.defineProperties(box, {
    clientHeight: { get: () => BOX_PX },
    scrollHeight: { get: height },
    scrollTop: {
      get: () => top,
      set: (wanted: number) => {
        top = Math.max(0, Math.min(wanted, height() - BOX_PX));
      },
    },
  });
}

function shown(count: number) {
  const timeline = createTimeline();
  const box = timeline.element.querySelector<HTMLElement>('.log') as HTMLElement;
  const follow = timeline.element.querySelector('input') as HTMLInputElement;
  laidOut(box);
  const show = (last: number) =>
    timeline.show(
      Array.from({ length: last }, (_, seq) => ({
        seq,
        at: 0,
        kind: 'call',
        level: 'info',
        text: '',
      })),
      1,
    );
  show(count);
  return { box, follow, show, scroll: () => box.dispatchEvent(new Event('scroll')) };
}

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

test('it stays at its end while nobody scrolls', () => {
  const { box, follow, show, scroll } = shown(60);
  expect(box.scrollTop).toBe(60 * ROW_PX - BOX_PX);
  scroll();
  show(61);
  expect(box.scrollTop).toBe(61 * ROW_PX - BOX_PX);
  expect(follow.checked).toBe(true);
});

test('an entry that comes before the event of a scroll does not undo it', () => {
  const { box, follow, show, scroll } = shown(60);
  box.scrollTop -= 60;
  const top = box.scrollTop;
  show(61);
  expect([box.scrollTop, follow.checked]).toEqual([top, false]);
  scroll();
  show(62);
  expect([box.scrollTop, follow.checked]).toEqual([top, false]);
});

test('who leaves the end slowly is not pulled back, and who comes near it is there again', () => {
  const { box, follow, show, scroll } = shown(60);
  box.scrollTop -= 3;
  scroll();
  expect(follow.checked).toBe(false);
  const top = box.scrollTop;
  show(61);
  expect(box.scrollTop).toBe(top);
  box.scrollTop += 5;
  scroll();
  expect(follow.checked).toBe(true);
  show(62);
  expect(box.scrollTop).toBe(62 * ROW_PX - BOX_PX);
});
