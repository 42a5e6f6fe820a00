import { h, setText } from '../../../ui/dom';
import type { TabState } from '../shared/messages';
import type { Part } from './part';
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
