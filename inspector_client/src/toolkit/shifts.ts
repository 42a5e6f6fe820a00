import { selectorOf } from '../element/selector';
import { type LongFrame, type Script, type Shift, type ShiftSource, scriptsOf } from './observed';
import type { Named } from './vitals';

/** Shifts less than this apart belong together, up to five seconds in all (as Chrome scores them). */
const GAP_MS = 1_000;
const WINDOW_MS = 5_000;
/** What arrived this long before a shift may be its cause. */
const BEFORE_MS = 500;
const FONT = /\.(?:woff2?|ttf|otf|eot)(?:[?#]|$)/i;
const MOST_SHIFTS = 8;
const MOST_MOVED = 4;

export interface Suspect {
  /** image, font, script, above or grown */
  kind: string;
  what: string;
  element?: Named;
  script?: Script;
}

interface Moved {
  element: Named | null;
  by: { x: number; y: number };
  to: { x: number; y: number; width: number; height: number };
}

export interface Shifts {
  value: number;
  count: number;
  worst: { at: number; value: number; moved: Moved[]; suspects: Suspect[] }[];
}

/** The session window with the highest score: Cumulative Layout Shift. */
function worstWindow(shifts: Shift[]): Shift[] {
  let worst: Shift[] = [];
  let current: Shift[] = [];
  for (const shift of shifts.filter((each) => !each.hadRecentInput)) {
    const [first] = current;
    const last = current.at(-1);
    const joins =
      first &&
      last &&
      shift.startTime - last.startTime < GAP_MS &&
      shift.startTime - first.startTime < WINDOW_MS;
    current = joins ? [...current, shift] : [shift];
    if (score(current) > score(worst)) worst = current;
  }
  return worst;
}

const score = (shifts: Shift[]): number => shifts.reduce((sum, each) => sum + each.value, 0);
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** What moved, and what probably made it move. */
export function shiftsOf(
  shifts: Shift[],
  frames: LongFrame[],
  name: (element: Element) => Named,
): Shifts {
  const window = worstWindow(shifts);
  const worst = [...window].sort((a, b) => b.value - a.value).slice(0, MOST_SHIFTS);
  return {
    value: rounded(score(window)),
    count: window.length,
    worst: worst.map((shift) => ({
      at: shift.startTime,
      value: rounded(shift.value),
      moved: (shift.sources ?? []).slice(0, MOST_MOVED).map((source) => movedBy(source, name)),
      suspects: suspectsOf(shift, frames, name),
    })),
  };
}

function movedBy(source: ShiftSource, name: (element: Element) => Named): Moved {
  const { previousRect: from, currentRect: to } = source;
  const element = elementOf(source.node);
  return {
    element: element && name(element),
    by: { x: Math.round(to.x - from.x), y: Math.round(to.y - from.y) },
    to: {
      x: Math.round(to.x),
      y: Math.round(to.y),
      width: Math.round(to.width),
      height: Math.round(to.height),
    },
  };
}

const elementOf = (node: Node | null): Element | null =>
  node instanceof Element ? node : (node?.parentElement ?? null);

function suspectsOf(
  shift: Shift,
  frames: LongFrame[],
  name: (element: Element) => Named,
): Suspect[] {
  const resources = performance
    .getEntriesByType('resource')
    .filter((each): each is PerformanceResourceTiming => isShortlyBefore(shift, each));
  return [
    ...images(resources, name),
    ...resources
      .filter((each) => FONT.test(each.name))
      .map((each) => ({ kind: 'font', what: each.name })),
    ...scripts(shift, frames),
    ...above(shift, name),
    ...grown(shift, name),
  ];
}

const isShortlyBefore = (shift: Shift, entry: PerformanceEntry): boolean => {
  const end = entry.startTime + entry.duration;
  return end <= shift.startTime && end > shift.startTime - BEFORE_MS;
};

function images(
  resources: PerformanceResourceTiming[],
  name: (element: Element) => Named,
): Suspect[] {
  const loaded = new Set(resources.map((each) => each.name));
  return [...document.images]
    .filter((image) => loaded.has(image.currentSrc) && !hasReservedSpace(image))
    .map((image) => ({
      kind: 'image',
      what: `has no width and height, and arrived just before: ${image.currentSrc}`,
      element: name(image),
    }));
}

function hasReservedSpace(image: HTMLImageElement): boolean {
  const sized = image.hasAttribute('width') && image.hasAttribute('height');
  return sized || !getComputedStyle(image).aspectRatio.startsWith('auto');
}

function scripts(shift: Shift, frames: LongFrame[]): Suspect[] {
  const during = frames.filter(
    (frame) =>
      frame.startTime <= shift.startTime &&
      frame.startTime + frame.duration > shift.startTime - GAP_MS / 10,
  );
  return scriptsOf(during).map((script) => ({ kind: 'script', what: script.invoker, script }));
}

/** What stands now where the highest of the moved elements stood. */
function above(shift: Shift, name: (element: Element) => Named): Suspect[] {
  const source = (shift.sources ?? []).find(
    (each) => each.node && each.currentRect.y > each.previousRect.y,
  );
  const moved = source && elementOf(source.node);
  if (!source || !moved) return [];
  const pusher = previousInFlow(moved, source.previousRect.y);
  if (!pusher || selectorOf(pusher) === selectorOf(moved)) return [];
  return [{ kind: 'above', what: 'stands where it stood before', element: name(pusher) }];
}

function previousInFlow(element: Element, wasAt: number): Element | null {
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
    for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
      const box = before.getBoundingClientRect();
      if (box.height > 0 && box.bottom > wasAt + 1) return before;
    }
  }
  return null;
}

/** Chrome may tell of the container only, in which something was put or became larger. */
function grown(shift: Shift, name: (element: Element) => Named): Suspect[] {
  const source = (shift.sources ?? []).find(
    (each) => each.node && each.currentRect.height > each.previousRect.height + 1,
  );
  const element = source && elementOf(source.node);
  if (!source || !element) return [];
  const [before, after] = [source.previousRect.height, source.currentRect.height].map(Math.round);
  const what = `grew from ${before} to ${after} CSS px in height: something in it did, or was put there`;
  return [{ kind: 'grown', what, element: name(element) }];
}
