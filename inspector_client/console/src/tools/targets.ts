import { createState, type State } from '../../../src/basics';
import { freshId, h } from '../../../ui/dom';
import type { Overview, Tab } from '../session/overview';
import { overviewTexts, toolTexts as texts } from '../texts';
import { keyedList } from '../ui/keyed';

/** Which datalist holds what an argument of that name could be. */
const LISTS: Record<string, string> = {
  tabId: 'suggested-tabs',
  page: 'suggested-pages',
  tab: 'suggested-urls',
};

export const suggestionsFor = (name: string): string | undefined => LISTS[name];

export interface Targets {
  element: HTMLElement;
  /** The tab that calls are for; empty: none. */
  readonly chosen: State<string>;
  show(overview: Pick<Overview, 'tabs' | 'pages'>): void;
}

/** The connected tabs, one of which can be chosen for all calls. */
export function createTargets(): Targets {
  const id = freshId('targets');
  const group = freshId('target');
  const chosen = createState('');
  const list = h('div', { class: 'targets', role: 'radiogroup', 'aria-labelledby': id });
  const nothing = h('p', 'empty', texts.noTabs);
  const lists = Object.values(LISTS).map((name) => h('datalist', { id: name }));
  const [tabs, pages, urls] = lists.map((each) =>
    keyedList(each, ([value]: [string, string]) => value, suggestion),
  );
  const update = keyedList(list, ({ tabId }: Pick<Tab, 'tabId'>) => tabId, row);

  function suggestion([value, label]: [string, string]): HTMLElement {
    return h('option', { value }, label);
  }
  function row({
    tabId,
    title = '',
    url = '',
    via = '',
  }: Partial<Tab> & { tabId: string }): HTMLElement {
    const radio = { type: 'radio', name: group, value: tabId, checked: tabId === chosen.value };
    const name = tabId ? title || url || overviewTexts.untitled : texts.noTarget;
    return h(
      'label',
      { title: tabId ? `${tabId}\n${url}` : undefined },
      h('input', radio),
      h('span', 'title', ` ${name} `),
      tabId ? h('span', 'badge', overviewTexts.vias[via] ?? via) : undefined,
    );
  }
  list.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement) chosen.set(target.value);
  });

  return {
    chosen,
    element: h(
      'section',
      { class: 'card', 'aria-labelledby': id },
      h('h2', { id }, texts.targets),
      nothing,
      list,
      ...lists,
    ),
    show(overview) {
      const all = overview.tabs;
      if (!all.some(({ tabId }) => tabId === chosen.value)) chosen.set('');
      nothing.hidden = all.length > 0;
      list.hidden = all.length === 0;
      update([{ tabId: '' }, ...all]);
      if (!chosen.value) check('');
      tabs?.(all.map(({ tabId, title }) => [tabId, title]));
      pages?.(overview.pages.map((page) => [page.id, `${page.title} ${page.url}`]));
      urls?.(all.filter(({ via }) => via === 'cdp').map(({ url, title }) => [url, title]));
    },
  };

  function check(value: string): void {
    for (const input of list.querySelectorAll('input')) input.checked = input.value === value;
  }
}
