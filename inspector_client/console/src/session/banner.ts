import { button, h } from '../../../ui/dom';
import { enteringTexts as texts } from '../texts';

export interface Banner {
  element: HTMLElement;
  /** Nobody answers; the next try is in `ms`. */
  lost(ms: number): void;
  hide(): void;
}

/** Says that the companion is gone, and when it is tried again. */
export function createBanner(retry: () => void): Banner {
  const next = h('span', { 'aria-live': 'off' });
  const words = h('span', { role: 'alert' });
  const element = h(
    'div',
    { class: 'banner', hidden: true },
    ...[words, ' ', next, ' '],
    button(texts.retry, retry),
  );
  let timer: ReturnType<typeof setInterval> | undefined;

  function stop(): void {
    clearInterval(timer);
  }
  return {
    element,
    lost(ms) {
      stop();
      const at = Date.now() + ms;
      const tick = () => {
        next.textContent = texts.retryIn(Math.max(0, Math.ceil((at - Date.now()) / 1000)));
      };
      // Said once, not at every try.
      if (element.hidden) words.textContent = `${texts.lost} ${texts.hint}`;
      element.hidden = false;
      tick();
      timer = setInterval(tick, 1000);
    },
    hide() {
      stop();
      words.textContent = '';
      element.hidden = true;
    },
  };
}
