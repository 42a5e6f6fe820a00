import { selectorOf } from '../element/selector';
import { type Interaction, type LongFrame, observe, scriptsOf } from './observed';
import { describe } from './ready';
import { type Shifts, shiftsOf } from './shifts';
import type { Uids } from './uids';

const MOST_FRAMES = 5;
const MOST_RESOURCES = 10;
/** Longer tasks keep the page from answering in time, in ms. */
const LONG_TASK_MS = 50;
/** Of so many interactions one is left out of account. */
const INTERACTIONS_PER_OUTLIER = 50;

export interface Named {
  uid: string;
  name: string;
  selector: string;
}

export interface Vitals {
  url: string;
  visible: boolean;
  /** In ms since the navigation began, as all times. */
  now: number;
  fcp: number | null;
  domContentLoaded: number;
  load: number;
  document: ReturnType<typeof latencyOf> | null;
  lcp: ReturnType<typeof largestOf> | null;
  cls: Shifts;
  inp: ReturnType<typeof slowestOf> | null;
  longTasks: { count: number; ms: number; blockingMs: number; worst: ReturnType<typeof frameOf>[] };
  renderBlocking: (ReturnType<typeof resourceOf> & { element: Named | null })[];
  slowest: ReturnType<typeof resourceOf>[];
}

/** What the document's load and its interactions cost, and what of it was the cause. */
export function createVitals(uids: Uids) {
  const observed = observe();
  const name = (element: Element): Named => ({
    uid: uids.uid(element),
    name: describe(element),
    selector: selectorOf(element),
  });

  async function vitals(): Promise<Vitals> {
    await observed.ready;
    const [navigation] = performance.getEntriesByType(
      'navigation',
    ) as PerformanceNavigationTiming[];
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const frames = observed.all('long-animation-frame');
    const paint = observed.all('largest-contentful-paint').at(-1);
    const interactions = observed.interactions();
    return {
      url: location.href,
      visible: document.visibilityState === 'visible',
      now: performance.now(),
      fcp: observed.all('paint').find((each) => each.name === FIRST_PAINT)?.startTime ?? null,
      domContentLoaded: navigation?.domContentLoadedEventEnd ?? 0,
      load: navigation?.loadEventEnd ?? 0,
      document: navigation ? latencyOf(navigation) : null,
      lcp: paint ? largestOf(paint, navigation, resources, name) : null,
      cls: shiftsOf(observed.all('layout-shift'), frames, name),
      inp: interactions.length ? slowestOf(interactions, frames, name) : null,
      longTasks: tasksOf(observed.all('longtask'), frames),
      renderBlocking: resources
        .filter((each) => blocking(each))
        .map((each) => ({ ...resourceOf(each), element: askedBy(each.name, name) })),
      slowest: [...resources]
        .sort((a, b) => b.duration - a.duration)
        .slice(0, MOST_RESOURCES)
        .map(resourceOf),
    };
  }
  return { vitals };
}

const FIRST_PAINT = 'first-contentful-paint';

const blocking = (entry: PerformanceResourceTiming): boolean =>
  (entry as { renderBlockingStatus?: string }).renderBlockingStatus === 'blocking';

function latencyOf(entry: PerformanceNavigationTiming) {
  return {
    ttfb: entry.responseStart,
    redirects: entry.redirectCount,
    redirectMs: entry.redirectEnd - entry.redirectStart,
    dnsMs: entry.domainLookupEnd - entry.domainLookupStart,
    connectMs: entry.connectEnd - entry.connectStart,
    waitMs: entry.responseStart - entry.requestStart,
    downloadMs: entry.responseEnd - entry.responseStart,
    protocol: entry.nextHopProtocol,
    bytes: entry.encodedBodySize,
    decodedBytes: entry.decodedBodySize,
    encoding: (entry as { contentEncoding?: string }).contentEncoding ?? '',
    contentType: (entry as { contentType?: string }).contentType ?? '',
    type: entry.type,
  };
}

/** The four phases of Largest Contentful Paint; of a text the middle two are 0. */
function largestOf(
  paint: { element: Element | null; url: string; size: number; startTime: number },
  navigation: PerformanceNavigationTiming | undefined,
  resources: PerformanceResourceTiming[],
  name: (element: Element) => Named,
) {
  const ttfb = navigation?.responseStart ?? 0;
  const resource = paint.url ? resources.find((each) => each.name === paint.url) : undefined;
  const asked = Math.max(ttfb, resource ? resource.requestStart || resource.startTime : 0);
  const arrived = Math.max(asked, resource?.responseEnd ?? 0);
  const image = paint.element instanceof HTMLImageElement ? paint.element : null;
  return {
    ms: paint.startTime,
    url: paint.url,
    size: paint.size,
    element: paint.element?.isConnected ? name(paint.element) : null,
    lazy: image?.loading === 'lazy',
    priority: image?.fetchPriority ?? '',
    initiator: resource?.initiatorType ?? '',
    phases: {
      ttfb,
      resourceLoadDelay: asked - ttfb,
      resourceLoadDuration: arrived - asked,
      elementRenderDelay: Math.max(0, paint.startTime - arrived),
    },
  };
}

function slowestOf(
  interactions: Interaction[],
  frames: LongFrame[],
  name: (element: Element) => Named,
) {
  const slowest = [...interactions].sort((a, b) => b.duration - a.duration);
  const outliers = Math.floor(interactions.length / INTERACTIONS_PER_OUTLIER);
  const event = slowest[outliers] as Interaction;
  const end = event.startTime + event.duration;
  const during = frames.filter(
    (frame) => frame.startTime < end && frame.startTime + frame.duration > event.startTime,
  );
  const { target } = event;
  return {
    ms: event.duration,
    count: interactions.length,
    event: event.name,
    at: event.startTime,
    target: target instanceof Element && target.isConnected ? name(target) : null,
    phases: {
      inputDelay: Math.max(0, event.processingStart - event.startTime),
      processing: event.processingEnd - event.processingStart,
      presentationDelay: Math.max(0, end - event.processingEnd),
    },
    scripts: scriptsOf(during),
  };
}

function tasksOf(tasks: PerformanceEntry[], frames: LongFrame[]): Vitals['longTasks'] {
  const worst = [...frames].sort((a, b) => b.duration - a.duration).slice(0, MOST_FRAMES);
  return {
    count: tasks.length,
    ms: tasks.reduce((sum, task) => sum + task.duration, 0),
    blockingMs: tasks.reduce((sum, task) => sum + Math.max(0, task.duration - LONG_TASK_MS), 0),
    worst: worst.map(frameOf),
  };
}

function frameOf(frame: LongFrame) {
  return {
    at: frame.startTime,
    ms: frame.duration,
    blockingMs: frame.blockingDuration,
    scripts: scriptsOf([frame]),
  };
}

function resourceOf(entry: PerformanceResourceTiming) {
  return {
    url: entry.name,
    type: entry.initiatorType,
    at: entry.startTime,
    ms: entry.duration,
    waitMs: entry.requestStart ? entry.responseStart - entry.requestStart : 0,
    downloadMs: entry.responseStart ? entry.responseEnd - entry.responseStart : 0,
    bytes: entry.transferSize,
  };
}

/** The element that made the browser fetch it. */
function askedBy(url: string, name: (element: Element) => Named): Named | null {
  const asking = [
    ...document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>('link, script'),
  ];
  const found = asking.find((each) => ('href' in each ? each.href : each.src) === url);
  return found ? name(found) : null;
}
