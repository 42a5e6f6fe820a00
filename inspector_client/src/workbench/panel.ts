import { h, iconButton, icons, on } from '../ui/dom';
import { connectionText, problemTexts, texts } from '../ui/texts';
import type { WorkbenchParts } from '../workbench';
import { createItemView, type ItemView } from './item';

const AGE_MS = 20_000;

/** The list of the user's inspections, live. */
export function createPanel({
  queue,
  connection,
  panelShown: shown,
  open,
}: Pick<WorkbenchParts, 'queue' | 'connection' | 'panelShown' | 'open'>): HTMLElement {
  let timer: ReturnType<typeof setInterval> | undefined;
  const views = new Map<string, ItemView>();
  const state = h('div', 'muted');
  const notice = h('div', { class: 'notice', role: 'alert' });
  const list = h('ul', 'list');
  const empty = h('div', 'empty', h('b', {}, texts.empty), ' · ', texts.emptyHint);
  const hide = () => shown.set(false);
  const title = h('div', 'grow', h('h2', {}, texts.inspections), state);
  const head = h('header', 'row', title, iconButton(texts.close, icons.close, hide));
  const props = { class: 'panel', 'aria-label': texts.inspections };
  const element = h('section', props, head, notice, empty, list);

  function draw(): void {
    const items = queue.items();
    items.forEach((item, index) => {
      const view = views.get(item.id) ?? createItemView(item.id, queue, open);
      views.set(item.id, view);
      view.show(item);
      const there = list.children[index] ?? null;
      if (there !== view.element) list.insertBefore(view.element, there);
    });
    while (list.children.length > items.length) list.lastChild?.remove();
    empty.hidden = items.length > 0;
    notice.hidden = !queue.problem;
    notice.textContent = queue.problem && problemTexts[queue.problem];
  }
  queue.changed.on(() => {
    if (shown.value) draw();
  });
  connection.watch((value) => {
    state.textContent = connectionText(value);
  });
  shown.watch((value) => {
    element.hidden = !value;
    clearInterval(timer);
    if (!value) return;
    draw();
    // What was just now is not so for ever.
    timer = setInterval(draw, AGE_MS);
  });
  return on(element, {
    keydown: (event) => {
      if ((event as KeyboardEvent).key === 'Escape' && !event.defaultPrevented) hide();
    },
  });
}
