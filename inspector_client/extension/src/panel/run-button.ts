import { freshId, h, setText } from '../../../ui/dom';
import { durationText } from '../../../ui/words';
import { isEnabled, setEnabled } from '../ui/part';
import { texts } from '../ui/texts';

const TICK_MS = 100;

export interface RunButton {
  readonly element: HTMLElement;
  /** Why it cannot be pressed; the empty string if it can. */
  show(hindrance: string): void;
  begin(): void;
  /** What to say instead of an outcome, if anything. */
  end(told?: string): void;
  readonly isReady: boolean;
}

/** Runs the form; while that lasts it says so, and how long it has taken. */
export function createRunButton(): RunButton {
  const told = h('span', { class: 'hint', id: freshId('run-told') });
  const live = h('span', { class: 'unseen', role: 'status' });
  const button = h(
    'button',
    { type: 'submit', class: 'primary', title: texts.runHint, 'aria-describedby': told.id },
    texts.run,
  );
  let startedAt = 0;
  let timer = 0;
  let hindrance = texts.connectFirst;
  let last = '';
  const tick = () => setText(told, texts.running(durationText(performance.now() - startedAt)));

  function update(): void {
    setEnabled(button, !timer && !hindrance);
    button.toggleAttribute('data-busy', timer > 0);
    if (!timer) setText(told, hindrance || last || texts.runHint);
  }
  update();
  return {
    element: h('span', 'run', button, told, live),
    get isReady() {
      return isEnabled(button);
    },
    show(why) {
      hindrance = why;
      update();
    },
    begin() {
      startedAt = performance.now();
      timer = window.setInterval(tick, TICK_MS);
      setText(live, texts.running(''));
      tick();
      update();
    },
    end(text = '') {
      clearInterval(timer);
      timer = 0;
      last = text;
      setText(live, text);
      update();
    },
  };
}
