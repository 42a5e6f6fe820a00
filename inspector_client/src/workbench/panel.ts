import type { State } from '../basics';
import { h, iconButton, icons, on } from '../ui/dom';
import { connectionText, texts } from '../ui/texts';
import type { WorkbenchParts } from '../workbench';

/** One of the panel's tabs, and what it shows. */
export interface PanelView {
  /** The tab's title. */
  name: string;
  element: HTMLElement;
  /** Told when it comes into sight and when it goes: what cannot be seen needs no drawing. */
  shown?(visible: boolean): void;
  /** What waits there; 0 shows nothing. */
  count?: State<number>;
}

export interface Panel {
  readonly element: HTMLElement;
  /** The name of the view that can be seen; '' while the panel is closed. */
  readonly view: string;
  /** Opens the panel at the view of that name. */
  open(name: string): void;
}

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** What the toolbar's button opens: the first view, and the others beside it. */
export function createPanel(
  { connection, panelShown }: Pick<WorkbenchParts, 'connection' | 'panelShown'>,
  views: PanelView[],
): Panel {
  let current = 0;
  const seen = views.map(() => false);
  const state = h('div', 'muted state');
  const tabs = views.map(createTab);
  const list = h('div', { class: 'tabs grow', role: 'tablist' }, ...tabs);
  const hide = () => panelShown.set(false);
  const head = h('header', 'row', list, iconButton(texts.close, icons.close, hide));
  const bodies = views.map(({ name, element }) =>
    h('div', { role: 'tabpanel', 'aria-label': name }, element),
  );
  const props = { class: 'panel', 'aria-label': texts.inspections };
  const element = h('section', props, head, state, ...bodies);

  function createTab({ name, count }: PanelView, index: number): HTMLElement {
    const waiting = h('span', 'count');
    const tab = on(h('button', { type: 'button', class: 'tab', role: 'tab' }, name, waiting), {
      click: () => choose(index),
      keydown: onKey,
    });
    waiting.hidden = true;
    count?.watch((value) => {
      waiting.textContent = String(value);
      waiting.hidden = !value;
    });
    return tab;
  }
  function onKey(event: Event): void {
    const { key } = event as KeyboardEvent;
    const ends: Record<string, number> = { Home: 0, End: views.length - 1 };
    // Where texts run from right to left, so do the tabs.
    const side = getComputedStyle(list).direction === 'rtl' ? -1 : 1;
    const step = (STEPS[key] ?? 0) * side;
    const next = ends[key] ?? (current + step + views.length) % views.length;
    if (!step && !(key in ends)) return;
    event.preventDefault();
    choose(next);
    tabs[next]?.focus();
  }
  function choose(index: number): void {
    current = index;
    draw();
  }
  function draw(): void {
    views.forEach((view, index) => {
      const isChosen = index === current;
      const isVisible = isChosen && panelShown.value;
      const [tab, body] = [tabs[index], bodies[index]];
      if (!tab || !body) return;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      body.hidden = !isChosen;
      if (seen[index] === isVisible) return;
      seen[index] = isVisible;
      view.shown?.(isVisible);
    });
  }
  connection.watch((value) => {
    state.textContent = connectionText(value);
  });
  panelShown.watch((value) => {
    element.hidden = !value;
    draw();
  });
  on(element, {
    keydown: (event) => {
      if ((event as KeyboardEvent).key === 'Escape' && !event.defaultPrevented) hide();
    },
  });
  return {
    element,
    get view() {
      return (panelShown.value && views[current]?.name) || '';
    },
    open(name) {
      choose(
        Math.max(
          0,
          views.findIndex((view) => view.name === name),
        ),
      );
      panelShown.set(true);
    },
  };
}
