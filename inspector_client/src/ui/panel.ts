import { createState, type State } from '../basics';
import type { Connection } from '../connection/session';
import type { Queue } from '../queue/queue';
import { button, h, icons } from './dom';
import { createItemView, type ItemView } from './item';
import { connectionText, problemText, texts } from './texts';

export interface Panel {
  readonly element: HTMLElement;
  readonly shown: State<boolean>;
  toggle(): void;
  open(): void;
}

/** The list of the user's inspections, live. */
export function createPanel(queue: Queue, connection: State<Connection>): Panel {
  const shown = createState(false);
  const views = new Map<string, ItemView>();
  const state = h('div', { class: 'state' });
  const notice = h('div', { class: 'notice', role: 'alert', hidden: true });
  const list = h('ul', { class: 'list' });
  const empty = h('div', { class: 'empty' }, h('b', {}, texts.emptyTitle), texts.emptyText);
  const close = button({
    label: texts.close,
    icon: icons.close,
    class: 'small',
    press: () => shown.set(false),
  });
  const element = h(
    'section',
    { class: 'panel', 'aria-label': texts.inspections, hidden: true, on: { keydown: onKey } },
    h(
      'header',
      { class: 'row' },
      h('div', { class: 'grow' }, h('h2', {}, texts.inspections), state),
      close,
    ),
    notice,
    empty,
    list,
  );

  function onKey(event: Event): void {
    if ((event as KeyboardEvent).key === 'Escape' && !event.defaultPrevented) shown.set(false);
  }
  function draw(): void {
    const items = queue.items();
    const ids = new Set(items.map((item) => item.id));
    for (const [id, view] of views) {
      if (ids.has(id)) continue;
      view.element.remove();
      views.delete(id);
    }
    items.forEach((item, index) => {
      const view = views.get(item.id) ?? createItemView(item.id, queue);
      views.set(item.id, view);
      view.show(item);
      const there = list.children[index];
      if (there !== view.element) list.insertBefore(view.element, there ?? null);
    });
    empty.hidden = items.length > 0;
    notice.hidden = !queue.problem;
    notice.textContent = queue.problem ? problemText(queue.problem) : '';
  }
  function showConnection(value: Connection): void {
    state.textContent = connectionText(value);
  }

  queue.onChange(draw);
  connection.watch(showConnection);
  shown.watch((value) => {
    element.hidden = !value;
    if (value) draw();
  });
  showConnection(connection.value);
  draw();
  return {
    element,
    shown,
    toggle: () => shown.set(!shown.value),
    open: () => shown.set(true),
  };
}
