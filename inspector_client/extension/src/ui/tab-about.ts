import type { TabState } from '../shared/messages';
import { h, type Part, setText } from './dom';
import { texts } from './texts';

/** Title and address of the tab. */
export function createTabAbout(): Part<TabState> {
  const title = h('p', 'tab-title');
  const url = h('p', 'tab-url');
  return {
    element: h('div', 'tab', title, url),
    show(state) {
      setText(title, state.title || texts.noTitle);
      setText(url, state.url || texts.noUrl);
    },
  };
}
