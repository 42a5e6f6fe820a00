import type { SeenItem } from '../queue/entry';
import { h } from '../ui/dom';
import { problemTexts, texts, workbenchTexts } from '../ui/texts';
import type { WorkbenchParts } from '../workbench';
import { createItemView, type ItemView } from './item';
import type { PanelView } from './panel';

const AGE_MS = 20_000;

/** What others put into the list. */
export interface InspectionActions {
  /** For the list as a whole. */
  actions: HTMLElement[];
  /** For one of it; asked once, when it is first shown. */
  itemActions(item: SeenItem): HTMLElement[];
}

/** The list of the user's inspections, live. */
export function createInspectionsView(
  { queue, open }: Pick<WorkbenchParts, 'queue' | 'open'>,
  { actions, itemActions }: InspectionActions,
): PanelView {
  let timer: ReturnType<typeof setInterval> | undefined;
  let isShown = false;
  const views = new Map<string, ItemView>();
  const notice = h('div', { class: 'notice', role: 'alert' });
  const head = h('div', 'row actions', ...actions);
  const list = h('ul', 'list');
  const { empty: none, emptyHint } = workbenchTexts;
  const empty = h('div', 'empty', h('b', {}, none), ' · ', emptyHint);

  function viewOf(item: SeenItem): ItemView {
    const known = views.get(item.id);
    if (known) return known;
    const view = createItemView(item.id, queue, open, itemActions(item));
    views.set(item.id, view);
    return view;
  }
  function draw(): void {
    const items = queue.items();
    items.forEach((item, index) => {
      const view = viewOf(item);
      view.show(item);
      const there = list.children[index] ?? null;
      if (there !== view.element) list.insertBefore(view.element, there);
    });
    while (list.children.length > items.length) list.lastChild?.remove();
    empty.hidden = items.length > 0;
    head.hidden = actions.length === 0;
    notice.hidden = !queue.problem;
    notice.textContent = queue.problem && problemTexts[queue.problem];
  }
  queue.changed.on(() => {
    if (isShown) draw();
  });
  return {
    name: texts.inspections,
    element: h('div', {}, notice, head, empty, list),
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
