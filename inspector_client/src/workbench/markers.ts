import { attempt, createState, type State } from '../basics';
import { boxOf, isShown } from '../element/deep';
import { workbenchKeys } from '../protocol';
import type { SeenItem } from '../queue/entry';
import { h, on } from '../ui/dom';
import { statusTexts } from '../ui/texts';
import type { WorkbenchParts } from '../workbench';
import { markerPlaces } from './marker-places';
import { isEnded, isFinished, isHere, numbersOf } from './standing';
import { createStirring } from './stirring';
import { createTargets } from './targets';
import { queueTexts } from './texts';

export interface Markers {
  readonly element: HTMLElement;
  /** Whether the user wants to see them. */
  readonly wanted: State<boolean>;
  /** Of the badge that an event happened on. */
  idAt(event: Event): string | undefined;
}

const MAX_MARKERS = 100;
/** Looking for elements again takes no more than a fiftieth of the time. */
const SHARE = 50;
const PAUSE_MS = 300;
const MAX_PAUSE_MS = 30_000;
const KEYS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A numbered badge at the element of every inspection that needs the user or an agent, on its own page. */
export function createMarkers(
  { queue, picking }: Pick<WorkbenchParts, 'queue' | 'picking'>,
  open: (id: string) => void,
): Markers {
  const element = h('div', { class: 'markers', role: 'group', 'aria-label': queueTexts.markers });
  const targets = createTargets();
  const badges = new Map<string, HTMLElement>();
  const dressed = new WeakMap<HTMLElement, string>();
  const inView = new WeakSet<Element>();
  const stirring = createStirring(follow, lookSoon);
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      isIntersecting ? inView.add(target) : inView.delete(target);
    stirring.stir();
  });
  const wanted = createState(isWanted());
  let href = '';
  let items: SeenItem[] = [];
  let observed: Element[] = [];
  let last = '';
  let isRunning = false;
  let isLooking = false;
  let isSoon = false;
  let pause = PAUSE_MS;

  /** What is to be marked has changed. */
  function draw(): void {
    href = location.href;
    const all = queue.items();
    const numbers = numbersOf(all);
    const isFree = wanted.value && picking.turn.value.who === 'nobody';
    items = isFree ? all.filter((item) => !isFinished(item) && isHere(item.url)) : [];
    items = items.slice(0, MAX_MARKERS);
    targets.keep(new Set(all.map(({ id }) => id)));
    const ids = new Set(items.map(({ id }) => id));
    for (const [id, badge] of badges)
      if (!ids.has(id)) {
        badge.remove();
        badges.delete(id);
      }
    for (const item of items) dress(badgeOf(item.id), item, numbers.get(item.id) ?? 0);
    run(all.some((item) => !isFinished(item)) && isFree);
  }
  function badgeOf(id: string): HTMLElement {
    const known = badges.get(id);
    if (known) return known;
    const badge = on(h('button', { type: 'button', class: 'marker', tabindex: -1 }), {
      click: () => open(id),
      keydown: onKey,
    });
    badge.hidden = true;
    badges.set(id, badge);
    element.append(badge);
    return badge;
  }
  function dress(badge: HTMLElement, item: SeenItem, number: number): void {
    const { status, description } = item;
    const words = description || queueTexts.noWords;
    const isExact = targets.of(item.id)?.isExact !== false;
    const now = JSON.stringify([status, words, number, isExact]);
    // What is written again is laid out again.
    if (dressed.get(badge) === now) return;
    dressed.set(badge, now);
    badge.className = `marker ${status}${isExact ? '' : ' approximate'}`;
    badge.textContent = status === 'completed' ? '✓' : String(number);
    badge.title = isEnded(item) ? `${words} (${statusTexts[status]})` : words;
    badge.ariaLabel = queueTexts.marker(number, words, statusTexts[status], isExact);
  }
  function run(should: boolean): void {
    if (should && !isRunning) stirring.start();
    if (!should) stirring.stop();
    isRunning = should;
    if (hasUnknown()) void look();
    follow();
  }
  const hasUnknown = () => items.some(({ id }) => !targets.isKnown(id));
  /** Elements come and go with the document; so does the page that it shows. */
  function lookSoon(): void {
    if (isSoon) return;
    isSoon = true;
    setTimeout(() => {
      isSoon = false;
      if (location.href !== href) draw();
      if (items.some(({ id }) => !targets.of(id)?.isExact)) void look();
    }, pause);
  }
  async function look(): Promise<void> {
    if (isLooking) return lookSoon();
    isLooking = true;
    const since = performance.now();
    const isNew = await targets.look(items).catch(() => false);
    pause = Math.min(MAX_PAUSE_MS, PAUSE_MS + (performance.now() - since) * SHARE);
    isLooking = false;
    observe();
    if (isNew) draw();
    // There was no time for all.
    if (hasUnknown()) lookSoon();
  }
  function observe(): void {
    const now = items.flatMap(({ id }) => targets.of(id)?.element ?? []);
    for (const gone of observed) if (!now.includes(gone)) seen.unobserve(gone);
    for (const target of now) if (!observed.includes(target)) seen.observe(target);
    observed = now;
    stirring.watch(now);
    stirring.stir();
  }
  /** All is measured first, then all is moved. */
  function follow(): boolean {
    const frame = element.getBoundingClientRect();
    const scale = frame.width / element.offsetWidth || 1;
    const boxes = items.map(({ id }) => {
      const target = targets.of(id)?.element;
      if (!target || !inView.has(target) || !isShown(target)) return null;
      const { x, y, width, height } = boxOf(target);
      return {
        x: (x - frame.x) / scale,
        y: (y - frame.y) / scale,
        width: width / scale,
        height: height / scale,
      };
    });
    const view = { width: element.offsetWidth, height: element.offsetHeight };
    const isRtl = getComputedStyle(document.documentElement).direction === 'rtl';
    const places = markerPlaces(boxes, view, isRtl);
    const now = JSON.stringify([items.map(({ id }) => id), places]);
    if (now === last) return false;
    last = now;
    items.forEach(({ id }, index) => {
      const [badge, place] = [badges.get(id), places[index]];
      if (!badge) return;
      badge.hidden = !place;
      if (place) badge.style.translate = `${place.x}px ${place.y}px`;
    });
    const shown = shownBadges();
    // One stop for Tab, the arrows do the rest.
    if (!shown.some(({ tabIndex }) => tabIndex === 0)) focusable(shown[0]);
    return true;
  }
  const shownBadges = () => [...badges.values()].filter(({ hidden }) => !hidden);
  function focusable(badge: HTMLElement | undefined): void {
    for (const other of badges.values()) other.tabIndex = other === badge ? 0 : -1;
  }
  function onKey(event: Event): void {
    const step = KEYS[(event as KeyboardEvent).key];
    const shown = shownBadges();
    const at = shown.findIndex((badge) => event.composedPath().includes(badge));
    const next = step && shown[(at + step + shown.length) % shown.length];
    if (!next) return;
    event.preventDefault();
    focusable(next);
    next.focus();
  }

  queue.changed.on(draw);
  picking.turn.watch(draw);
  wanted.watch((value) => {
    attempt(() => sessionStorage.setItem(workbenchKeys.markers, value ? '' : 'hidden'));
    draw();
  });
  addEventListener('popstate', draw);
  return {
    element,
    wanted,
    idAt(event) {
      const path = event.composedPath();
      return [...badges].find(([, badge]) => path.includes(badge))?.[0];
    },
  };
}

const isWanted = () => attempt(() => sessionStorage.getItem(workbenchKeys.markers)) !== 'hidden';
