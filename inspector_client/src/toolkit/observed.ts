/** Entries that TypeScript's DOM library does not know. */
export interface ShiftSource {
  node: Node | null;
  previousRect: DOMRectReadOnly;
  currentRect: DOMRectReadOnly;
}

export interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources?: ShiftSource[];
}

export interface Paint extends PerformanceEntry {
  element: Element | null;
  url: string;
  size: number;
}

export interface FrameScript extends PerformanceEntry {
  invoker: string;
  invokerType: string;
  sourceURL: string;
  sourceFunctionName: string;
  sourceCharPosition: number;
  forcedStyleAndLayoutDuration: number;
}

export interface LongFrame extends PerformanceEntry {
  blockingDuration: number;
  scripts: FrameScript[];
}

interface EventEntry extends PerformanceEventTiming {
  interactionId: number;
}

/** One click, tap or key press, with all its events that were shown in the same frame. */
export interface Interaction {
  name: string;
  target: Node | null;
  startTime: number;
  duration: number;
  processingStart: number;
  processingEnd: number;
}

interface Entries {
  'largest-contentful-paint': Paint;
  'layout-shift': Shift;
  'long-animation-frame': LongFrame;
  longtask: PerformanceEntry;
  event: EventEntry;
  paint: PerformanceEntry;
}

const TYPES: (keyof Entries)[] = [
  'largest-contentful-paint',
  'layout-shift',
  'long-animation-frame',
  'longtask',
  'event',
  'paint',
];
const MOST_SCRIPTS = 3;
/** Of each type, the newest. */
const KEPT = 1_000;
/** A document without a navigation of its own (about:blank) has nothing to wait for. */
const PATIENCE_MS = 300;
/** The shortest that browsers tell, in ms. */
const SHORTEST_EVENT_MS = 16;
/** Durations of events are told in steps of this. */
const GRAIN_MS = 8;

export interface Script {
  invoker: string;
  type: string;
  ms: number;
  layoutMs: number;
  function: string;
  url: string;
  /** Characters from the beginning of its source; -1: not known. */
  position: number;
}

export interface Observed {
  /** Resolves when what happened before the toolkit came is there too. */
  ready: Promise<void>;
  all<T extends keyof Entries>(type: T): Entries[T][];
  /** Those that the browser told of. */
  interactions(): Interaction[];
}

/** Follows what the document's rendering, scripts and interactions cost, from its beginning on. */
export function observe(): Observed {
  const kept = new Map<string, PerformanceEntry[]>();
  const slowest = new Map<number, Interaction>();

  const take = (entry: PerformanceEntry) => {
    if (entry.entryType === 'event') {
      takeEvent(entry as EventEntry);
      return;
    }
    const entries = kept.get(entry.entryType) ?? [];
    kept.set(entry.entryType, entries);
    entries.push(entry);
    if (entries.length > KEPT) entries.shift();
  };
  const takeEvent = (event: EventEntry) => {
    if (!event.interactionId) return;
    const known = slowest.get(event.interactionId);
    slowest.set(event.interactionId, known ? joined(known, event) : plain(event));
    const [first] = slowest.keys();
    if (slowest.size > KEPT && first !== undefined) slowest.delete(first);
  };

  const ready = new Promise<void>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry);
      resolve();
    });
    for (const type of TYPES) {
      const init = { type, buffered: true, durationThreshold: SHORTEST_EVENT_MS };
      observer.observe(init);
    }
    // There is always one, so there is always a first call.
    observer.observe({ type: 'navigation', buffered: true });
    setTimeout(resolve, PATIENCE_MS);
  });
  return {
    ready,
    all: <T extends keyof Entries>(type: T) => (kept.get(type) ?? []) as Entries[T][],
    interactions: () => [...slowest.values()],
  };
}

const plain = (event: EventEntry): Interaction => ({
  name: event.name,
  target: event.target,
  startTime: event.startTime,
  duration: event.duration,
  processingStart: event.processingStart,
  processingEnd: event.processingEnd,
});

const end = (event: Interaction): number => event.startTime + event.duration;
const processing = (event: Interaction): number => event.processingEnd - event.processingStart;

/** A click is a pointerdown, a pointerup and a click; they count together where one frame showed them all. */
function joined(known: Interaction, entry: EventEntry): Interaction {
  const event = plain(entry);
  const longest = event.duration > known.duration ? event : known;
  if (Math.abs(end(event) - end(known)) > GRAIN_MS) return longest;
  const named = processing(event) > processing(known) ? event : known;
  return {
    ...longest,
    name: named.name,
    target: named.target ?? longest.target,
    processingStart: Math.min(known.processingStart, event.processingStart),
    processingEnd: Math.max(known.processingEnd, event.processingEnd),
  };
}

/** What ran longest in these frames. */
export function scriptsOf(frames: LongFrame[]): Script[] {
  const scripts: FrameScript[] = frames.flatMap((frame) => frame.scripts);
  return scripts
    .sort((a, b) => b.duration - a.duration)
    .slice(0, MOST_SCRIPTS)
    .map((script) => ({
      invoker: script.invoker,
      type: script.invokerType,
      ms: script.duration,
      layoutMs: script.forcedStyleAndLayoutDuration,
      function: script.sourceFunctionName,
      url: script.sourceURL,
      position: script.sourceCharPosition,
    }));
}
