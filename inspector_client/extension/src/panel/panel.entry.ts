// The DevTools panel; as a page of its own with `?tab=<number>`.
import { h } from '../../../ui/dom';
import { type Send, watchTab } from '../ui/link';
import { texts } from '../ui/texts';
import { createPanel } from './panel';
import { inspectedTab, matchDevTools } from './surroundings';

const say = (text: string) => document.body.replaceChildren(h('p', 'empty', text));

function start(tab: number): void {
  let send: Send = () => {};
  const panel = createPanel((message) => send(message));
  document.body.replaceChildren(panel.element);
  send = watchTab(tab, {
    state: panel.show,
    console: panel.hear,
    picture: panel.showPicture,
    ended: say,
  });
}

matchDevTools();
const tab = inspectedTab();
if (tab === null) say(texts.noTab);
else start(tab);
