import { button, freshId, h } from '../../../ui/dom';
import type { TabState } from '../shared/messages';
import type { Send } from './link';
import type { Part } from './part';
import { texts } from './texts';

/** Whether agents may run scripts in the tab, and the question of one that wanted to. */
export function createScriptsSwitch(send: Send): Part<TabState> {
  const hint = h('p', { class: 'hint', id: freshId('hint') }, texts.scriptsHint);
  const allow = (allowed: boolean) => send({ type: 'allowScripts', allowed });
  const box = h('input', {
    type: 'checkbox',
    role: 'switch',
    'aria-describedby': hint.id,
    onchange: () => allow(box.checked),
  });
  const question = h('span', 'question', texts.scriptWanted);
  const answer = (allowed: boolean) => () => {
    allow(allowed);
    box.focus();
  };
  const request = h(
    'div',
    { class: 'request', hidden: true },
    question,
    button(texts.allow, answer(true), 'primary small'),
    button(texts.dismiss, answer(false), 'small'),
  );
  const live = h('div', { role: 'status' }, request);
  const element = h(
    'div',
    'scripts',
    h('label', 'switch', box, h('span', '', texts.scripts)),
    hint,
    live,
  );
  return {
    element,
    show({ scriptsAllowed, scriptWanted }) {
      box.checked = scriptsAllowed;
      request.hidden = scriptsAllowed || !scriptWanted;
    },
  };
}
