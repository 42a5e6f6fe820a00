import type { Pointing } from '../picker';
import type { AgentAsk, Picking } from '../picking';
import { h, textButton } from './dom';
import { texts } from './texts';

/** While picking: who asks for what, and why; and how to go on. */
export function createBanner({ turn, cancel }: Picking, pointing: Pointing): HTMLElement {
  const what = h('b');
  const reason = h('p');
  const hint = h('p', 'muted');
  const more = h('p', 'muted');
  const decline = textButton(texts.decline, cancel);
  const words = h('div', 'grow', what, reason, hint, more);
  const element = h('div', { class: 'banner row', role: 'status' }, words, decline);

  turn.watch((value) => {
    element.hidden = value.who === 'nobody' || (value.who === 'user' && value.writing);
    if (element.hidden) return;
    const { mode, agent, reason: why = '' } = value as Partial<AgentAsk>;
    hint.textContent = mode === 'area' ? texts.areaHint : texts.elementHint;
    what.textContent = agent ? texts.asks(agent, mode) : '';
    reason.textContent = why;
    decline.hidden = !agent;
  });
  pointing.hint.watch((words) => {
    more.textContent = words;
  });
  return element;
}
