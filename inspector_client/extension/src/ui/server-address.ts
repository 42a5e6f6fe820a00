import { freshId, h, setText } from '../../../ui/dom';
import type { TabState } from '../shared/messages';
import { portOf } from './format';
import type { Send } from './link';
import type { Part } from './part';
import { texts } from './texts';

/** Where the companion listens: the port can be another one. */
export function createServerAddress(send: Send): Part<TabState> {
  const told = h('p', { class: 'field-told', id: freshId('port-told'), role: 'status' });
  const input = h('input', {
    id: freshId('port'),
    class: 'port',
    inputmode: 'numeric',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': told.id,
  });
  let port = 0;
  const save = h('button', { type: 'submit', class: 'small', hidden: true }, texts.savePort);

  function tell(text: string, isWrong: boolean): void {
    setText(told, text);
    told.classList.toggle('wrong', isWrong);
    if (isWrong) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  }
  function typed(): void {
    save.hidden = input.value.trim() === String(port);
    tell('', false);
  }
  function submitted(event: Event): void {
    event.preventDefault();
    const wanted = portOf(input.value);
    if (wanted === null) {
      tell(texts.badPort, true);
      input.focus();
      return;
    }
    port = wanted;
    send({ type: 'setPort', port });
    typed();
    input.focus();
    tell(texts.portSaved(port), false);
  }
  input.addEventListener('input', typed);
  const element = h(
    'form',
    { class: 'server', novalidate: true, onsubmit: submitted },
    h('span', 'hint', texts.server),
    h(
      'span',
      'address',
      'ws://127.0.0.1:',
      h('label', { class: 'unseen', for: input.id }, texts.port),
      input,
    ),
    save,
    told,
  );
  return {
    element,
    show(state) {
      // What is being typed stays.
      if (state.port === port) return;
      port = state.port;
      input.value = String(port);
      typed();
    },
  };
}
