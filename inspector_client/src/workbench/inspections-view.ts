import type { State } from '../basics';
import { isTextField } from '../gate';
import type { SeenItem } from '../queue/entry';
import { h, iconButton, on, textButton } from '../ui/dom';
import { texts } from '../ui/texts';
import type { WorkbenchParts } from '../workbench';
import { createFilter } from './filter';
import { createItemView, type ItemView } from './item';
import type { Draft } from './kept';
import type { PanelView } from './panel';
import { createHandle, stepOf } from './reorder';
import { isFinished, numbersOf, placesAfterMove } from './standing';
import { createStretch } from './stretch';
import { problemTexts, queueTexts, workbenchTexts } from './texts';

const AGE_MS = 20_000;
const EYE = 'M2 10c4-7 12-7 16 0c-4 7-12 7-16 0zM8 10a2 2 0 1 1 4 0a2 2 0 1 1 -4 0';

/** What others put into the list. */
export interface InspectionActions {
  /** For the list as a whole. */
  actions: HTMLElement[];
  /** For one of it; asked once, when it is first shown. */
  itemActions(item: SeenItem): HTMLElement[];
}

interface ListParts extends Pick<WorkbenchParts, 'queue' | 'open'> {
  /** Whether the page is marked. */
  marked: State<boolean>;
  /** Scrolls the page to the element of an inspection. */
  find(id: string): void;
  undo(): boolean;
}

export interface InspectionsView extends PanelView {
  /** Brings one into view, wherever it is, with the focus on it. */
  reveal(id: string): void;
  /** Of the item that an event happened in. */
  idAt(event: Event): string | undefined;
  /** What is half-written in it. */
  drafts(): Draft[];
  /** Goes on with what was, once those inspections are there. */
  resume(drafts: Draft[]): void;
}

/** The list of the user's inspections, live. */
export function createInspectionsView(
  { queue, open, marked, find, undo }: ListParts,
  { actions, itemActions }: InspectionActions,
): InspectionsView {
  let timer: ReturnType<typeof setInterval> | undefined;
  let isShown = false;
  let isMoving = false;
  let kept: Draft[] = [];
  /** What is to be brought into view. */
  let wanted: string | undefined;
  const views = new Map<string, ItemView>();
  const notice = h('div', { class: 'notice', role: 'alert' });
  const said = h('div', { class: 'unseen', role: 'status' });
  const filter = createFilter();
  const marks = iconButton('', EYE, () => marked.set(!marked.value));
  const head = h('div', 'row actions', ...actions, h('span', 'grow'), marks);
  const list = h('ul', 'list');
  const finished = h('ul', 'list');
  const [openStretch, doneStretch] = [createStretch(list, draw), createStretch(finished, draw)];
  const fold = textButton('', () => unfold(fold.ariaExpanded !== 'true'), 'quiet grow fold');
  const clear = textButton(queueTexts.clear, clearFinished, 'quiet');
  const foot = h('div', 'row done', fold, clear);
  const { empty: none, emptyHint } = workbenchTexts;
  const empty = h('div', 'empty', h('b', {}, none), ' · ', emptyHint);
  const nothing = h('div', 'empty', queueTexts.nothingFits);
  const element = h(
    'div',
    'inspections',
    ...[notice, head, filter.element, empty, nothing, ...openStretch.elements],
    ...[foot, ...doneStretch.elements, said],
  );
  on(element, { keydown: onKey });

  function viewOf(item: SeenItem): ItemView {
    const { id } = item;
    const known = views.get(id);
    if (known) return known;
    const handle = (one: HTMLElement) => {
      const drop = (to: number) => move(id, openStretch.start + to);
      const busy = (isBusy: boolean) => {
        isMoving = isBusy;
      };
      return createHandle({ list, item: one, drop, cancel: draw, busy }, (by) => step(id, by));
    };
    const view = createItemView(id, { queue, open, find, handle, actions: itemActions(item) });
    views.set(id, view);
    return view;
  }
  function draw(): void {
    // What is being dragged must not jump.
    if (isMoving) return;
    const all = queue.items();
    const seen = all.filter(filter.accepts);
    const numbers = numbersOf(all);
    const open = seen.filter((item) => !isFinished(item));
    const done = seen.filter((item) => isFinished(item)).reverse();
    // Before the focus may go there.
    foot.hidden = done.length === 0;
    const resumed = kept.filter((draft) => seen.some(({ id }) => id === draft.id));
    const hasDraft = ({ id }: SeenItem) => resumed.some((draft) => draft.id === id);
    for (const id of [focusedId(), resumed.find(({ hasFocus }) => hasFocus)?.id, wanted])
      if (id) include(id, open, done);
    const openNow = openStretch.of(open);
    const doneNow = doneStretch.of(fold.ariaExpanded === 'true' ? done : []);
    keepingFocus(() => {
      for (const item of new Set([...openNow, ...doneNow, ...seen.filter(hasDraft)]))
        viewOf(item).show(item, numbers.get(item.id) ?? 0);
      fill(list, openNow);
      fill(finished, doneNow);
    });
    kept = kept.filter((draft) => !resumed.includes(draft));
    for (const draft of resumed) views.get(draft.id)?.resume(draft);
    drawRest(all, seen, done);
  }
  function drawRest(all: SeenItem[], seen: SeenItem[], done: SeenItem[]): void {
    const ids = new Set(all.map(({ id }) => id));
    for (const id of views.keys()) if (!ids.has(id)) views.delete(id);
    fold.textContent = queueTexts.finished(done.length);
    empty.hidden = all.length > 0;
    nothing.hidden = all.length === 0 || seen.length > 0;
    filter.offer(all);
    filter.element.hidden = all.length < 2 && !filter.isOn;
    notice.hidden = !queue.problem;
    notice.textContent = queue.problem && problemTexts[queue.problem];
  }
  function fill(into: HTMLElement, items: SeenItem[]): void {
    items.forEach((item, index) => {
      const one = viewOf(item).element;
      const there = into.children[index] ?? null;
      if (there !== one) into.insertBefore(one, there);
    });
    while (into.children.length > items.length) into.lastChild?.remove();
  }
  /** What the user is at must not go out of sight; what he has just finished may. */
  function include(id: string, open: SeenItem[], done: SeenItem[]): void {
    const placeIn = (items: SeenItem[]) => items.findIndex((item) => item.id === id);
    const [inOpen, inDone] = [placeIn(open), placeIn(done)];
    const wasDone = id === wanted || views.get(id)?.element.parentElement === finished;
    if (inOpen >= 0) openStretch.include(inOpen);
    if (inDone >= 0 && wasDone) doneStretch.include(inDone);
  }
  function focusedId(): string | undefined {
    const { activeElement } = element.getRootNode() as Partial<ShadowRoot>;
    const item = activeElement?.closest('.item');
    return [...views].find(([, view]) => view.element === item)?.[0];
  }
  /** What had the focus may have moved with its item, or gone with it: then its neighbour has it. */
  function keepingFocus(action: () => void): void {
    const root = element.getRootNode() as Partial<ShadowRoot>;
    const focused = root.activeElement as HTMLElement | null | undefined;
    const item = focused?.closest('.item');
    const at = item?.parentElement === list ? [...list.children].indexOf(item) : -1;
    action();
    if (!item || !focused || root.activeElement === focused) return;
    const next = list.children[Math.min(at, list.children.length - 1)];
    const hasStayed = focused.isConnected && (at < 0 || item.parentElement === list);
    const target = hasStayed ? focused : ((next as HTMLElement | undefined) ?? fold);
    target.focus({ preventScroll: true });
  }
  function openItems(): SeenItem[] {
    return queue.items().filter((item) => !isFinished(item) && filter.accepts(item));
  }
  function move(id: string, to: number): void {
    const items = openItems();
    if (items.findIndex((item) => item.id === id) !== to)
      for (const [one, order] of placesAfterMove(items, id, to))
        queue.change(one, { kind: 'order', order });
    draw();
  }
  function step(id: string, by: number): void {
    const items = openItems();
    const at = items.findIndex((item) => item.id === id);
    const to = at + by;
    if (at < 0 || to < 0 || to >= items.length) return;
    move(id, to);
    said.textContent = queueTexts.moved(to + 1, items.length);
    views.get(id)?.element.scrollIntoView({ block: 'nearest' });
  }
  function unfold(isOpen: boolean): void {
    fold.ariaExpanded = String(isOpen);
    draw();
  }
  function clearFinished(): void {
    const done = queue.items().filter((item) => isFinished(item) && filter.accepts(item));
    queue.remove(done.map(({ id }) => id));
  }
  function idAt(event: Event): string | undefined {
    const path = event.composedPath();
    for (const [id, view] of views) if (path.includes(view.element)) return id;
    return undefined;
  }
  function onKey(event: Event): void {
    const { altKey, ctrlKey, metaKey, key } = event as KeyboardEvent;
    const id = idAt(event);
    const by = altKey ? stepOf(event as KeyboardEvent) : 0;
    const isUndo = (ctrlKey || metaKey) && key === 'z' && !isTextField(event.composedPath()[0]);
    if (by && id && !event.defaultPrevented) {
      event.preventDefault();
      step(id, by);
    } else if (isUndo && undo()) event.preventDefault();
  }
  fold.ariaExpanded = 'false';
  marked.watch((isOn) => {
    marks.ariaLabel = marks.title = isOn ? queueTexts.hideMarkers : queueTexts.showMarkers;
    marks.ariaPressed = String(isOn);
  });
  filter.changed.on(() => {
    openStretch.reset();
    doneStretch.reset();
    draw();
  });
  queue.changed.on(() => {
    if (isShown) draw();
  });
  return {
    name: texts.inspections,
    element,
    idAt,
    drafts: () => [...[...views.values()].flatMap((view) => view.drafts()), ...kept],
    resume(drafts) {
      kept = drafts;
    },
    reveal(id) {
      const item = queue.items().find((one) => one.id === id);
      if (!item) return;
      if (!filter.accepts(item)) filter.clear();
      if (isFinished(item)) fold.ariaExpanded = 'true';
      wanted = id;
      draw();
      wanted = undefined;
      const one = views.get(id)?.element;
      one?.scrollIntoView({ block: 'nearest' });
      one?.focus({ preventScroll: true });
    },
    shown(visible) {
      isShown = visible;
      clearInterval(timer);
      if (!visible) return;
      draw();
      // What was just now is not so for ever.
      timer = setInterval(draw, AGE_MS);
    },
  };
}
