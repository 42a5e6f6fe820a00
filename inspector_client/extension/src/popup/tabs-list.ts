import { button, h } from '../../../ui/dom';
import { section } from '../ui/part';
import { texts } from '../ui/texts';

async function goTo({ id, windowId }: chrome.tabs.Tab): Promise<void> {
  if (id === undefined) return;
  await chrome.tabs.update(id, { active: true });
  await chrome.windows.update(windowId, { focused: true });
  window.close();
}

function rowOf(tab: chrome.tabs.Tab): HTMLElement {
  const title = tab.title || texts.noTitle;
  const row = button('', () => void goTo(tab));
  row.title = tab.url ?? '';
  const here = tab.active ? ` · ${texts.thisTab}` : '';
  row.append(h('span', '', title), h('span', 'hint', `${hostOf(tab.url)}${here}`));
  return h('li', '', row);
}

const hostOf = (url = ''): string => (URL.canParse(url) ? new URL(url).host : url);

/** The tabs that are connected; a press goes there. */
export function createTabsList() {
  const list = h('ul', 'tabs');
  const empty = h('p', 'empty', texts.noTabs);
  let last = 0;
  return {
    element: section(texts.tabs, 'connected-tabs', empty, list),
    /** `numbers` are Chrome's. */
    async show(numbers: number[]): Promise<void> {
      last += 1;
      const asked = last;
      const all = await chrome.tabs.query({});
      if (asked !== last) return;
      const tabs = all.filter(({ id }) => id !== undefined && numbers.includes(id));
      list.replaceChildren(...tabs.map(rowOf));
      list.hidden = !tabs.length;
      empty.hidden = tabs.length > 0;
    },
  };
}
