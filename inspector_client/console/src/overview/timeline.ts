import { freshId, h } from '../../../ui/dom';
import type { Happened } from '../session/overview';
import { timelineTexts as texts } from '../texts';
import { keyedList } from '../ui/keyed';
import { timeElement } from '../ui/times';

const LEVELS = ['debug', 'info', 'warning', 'error'] as const;
type Level = (typeof LEVELS)[number];
/** What is told is the newest hundred; what was told before stays in view up to this. */
const MOST = 500;
/** Pixels from the end at which who comes back to it is there again. */
const NEAR_END_PX = 24;
/** And at which who goes away from it has not left: boxes stand on fractions of pixels. */
const AT_END_PX = 1;

/** Earlier entries and the newest, each once, oldest first. */
export function joined(known: Happened[], told: readonly Happened[]): Happened[] {
  const first = told[0]?.seq ?? Number.POSITIVE_INFINITY;
  return [...known.filter(({ seq }) => seq < first), ...told].slice(-MOST);
}

export function ofLevel(entries: readonly Happened[], least: string): Happened[] {
  const rank = LEVELS.indexOf(least as Level);
  return entries.filter(({ level }) => LEVELS.indexOf(level as Level) >= rank);
}

function entryRow({ at, kind, level, text }: Happened): HTMLElement {
  return h(
    'li',
    { class: `entry ${level}` },
    timeElement(at),
    h('span', 'kind', kind),
    h('span', 'text', level === 'debug' || level === 'info' ? '' : `${level}: `, text),
  );
}

/** What happened, newest last, from a level on; stays at its end as long as it is there. */
export function createTimeline(): {
  element: HTMLElement;
  show(told: Happened[], run: number): void;
} {
  const id = freshId('timeline');
  const list = h('ol', 'entries');
  const nothing = h('p', 'empty', texts.none);
  // A log that is read out four times a second would drown all else.
  const box = h(
    'div',
    {
      class: 'log',
      tabindex: 0,
      role: 'log',
      'aria-live': 'off',
      'aria-labelledby': id,
      onscroll: scrolled,
    },
    nothing,
    list,
  );
  const follow = h('input', { type: 'checkbox', checked: true, onchange: toEnd });
  const level = h('select', { onchange: draw }, ...LEVELS.map(option));
  const update = keyedList(list, ({ seq }: Happened) => seq, entryRow);
  let entries: Happened[] = [];
  let runOf = 0;
  let size = '';
  let top = 0;

  function option(value: Level): HTMLElement {
    return h('option', { value }, texts.levels[value]);
  }
  /** Only a person's scrolling counts: a box that is shown again, or has another size, scrolls as well. */
  function scrolled(): void {
    if (size === sizeNow()) look();
    else toEnd();
  }
  /** Where a person has scrolled to, of which the event may be still to come. */
  function look(): void {
    const moved = box.scrollTop - top;
    if (moved === 0 || size !== sizeNow()) return;
    const left = box.scrollHeight - box.scrollTop - box.clientHeight;
    follow.checked = left < (moved < 0 ? AT_END_PX : NEAR_END_PX);
    top = box.scrollTop;
  }
  function toEnd(): void {
    size = sizeNow();
    if (follow.checked) box.scrollTop = box.scrollHeight;
    top = box.scrollTop;
  }
  function sizeNow(): string {
    return [box.clientWidth, box.clientHeight, box.scrollHeight].join();
  }
  function draw(): void {
    look();
    const shown = ofLevel(entries, level.value);
    nothing.textContent = entries.length ? texts.nothingFits : texts.none;
    nothing.hidden = shown.length > 0;
    update(shown);
    toEnd();
  }

  const sizes = new ResizeObserver(toEnd);
  for (const each of [box, list]) sizes.observe(each);
  return {
    element: h(
      'section',
      { class: 'card wide', 'aria-labelledby': id },
      h(
        'div',
        'head',
        h('h2', { id }, texts.name),
        h('label', {}, `${texts.level} `, level),
        h('label', {}, follow, ` ${texts.follow}`),
      ),
      box,
    ),
    show(told, run) {
      if (run !== runOf) entries = [];
      runOf = run;
      const last = entries.at(-1)?.seq;
      if (last !== undefined && last === told.at(-1)?.seq) return;
      entries = joined(entries, told);
      draw();
    },
  };
}
