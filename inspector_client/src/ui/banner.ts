import type { Picking, Turn } from '../picking';
import { button, h } from './dom';
import { texts } from './texts';

/** While picking: who asks for what, and why; and how to go on. */
export function createBanner(picking: Picking): HTMLElement {
  const what = h('p');
  const reason = h('p', { class: 'reason' });
  const hint = h('p', { class: 'hint' });
  const decline = button({
    label: texts.decline,
    text: texts.decline,
    class: 'plain',
    press: picking.cancel,
  });
  const element = h(
    'div',
    { class: 'banner', role: 'status', hidden: true },
    h('div', { class: 'grow' }, what, reason, hint),
    decline,
  );
  function show(turn: Turn): void {
    element.hidden = turn.who === 'nobody' || (turn.who === 'user' && turn.writing);
    if (turn.who === 'nobody') return;
    const mode = turn.who === 'agent' ? turn.ask.mode : turn.mode;
    hint.textContent = texts.hints[mode];
    reason.textContent = turn.who === 'agent' ? (turn.ask.reason ?? '') : '';
    reason.hidden = !reason.textContent;
    what.hidden = decline.hidden = turn.who !== 'agent';
    if (turn.who === 'agent')
      what.replaceChildren(h('b', {}, texts.agentAsks(turn.ask.agent)), ` ${texts.ask[mode]}`);
  }
  picking.turn.watch(show);
  return element;
}
