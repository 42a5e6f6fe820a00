import type { Reply } from '../protocol';
import { h, on, textButton } from '../ui/dom';
import { texts } from '../ui/texts';
import { agoText, queueTexts } from './texts';
import { createWords } from './words';

/** What was said of an inspection, the newest last. */
export function createThread(): { element: HTMLElement; show(replies: Reply[]): void } {
  const element = h('div', { class: 'thread', role: 'group', 'aria-label': queueTexts.messages });
  let shown = '';
  let ages: (() => void)[] = [];
  return {
    element,
    show(replies) {
      element.hidden = replies.length === 0;
      const now = JSON.stringify(replies);
      // Drawn anew only for something new: a selection in it stays.
      if (now !== shown) {
        const views = replies.map(replyView);
        element.replaceChildren(...views.map((view) => view.element));
        ages = views.map((view) => view.age);
      }
      shown = now;
      for (const age of ages) age();
    },
  };
}

function replyView({ from, name, kind, text, at }: Reply) {
  const who = from === 'user' ? queueTexts.you : (name ?? queueTexts.someAgent);
  const asks = kind === 'question' ? ` ${queueTexts.asked}` : '';
  const ago = h('span');
  const head = h('div', 'muted', h('b', {}, who), `${asks} · `, ago);
  return {
    element: h('div', `reply by-${from}`, head, h('div', 'description', text)),
    age() {
      ago.textContent = agoText(at);
    },
  };
}

/** A field for a few words on an inspection; null: the user thought better of it. */
export function createAnswer(
  label: string,
  action: string,
  done: (text: string | null) => void,
): { element: HTMLElement; words: HTMLTextAreaElement; focus(): void } {
  const words = createWords(label, undefined, done);
  const buttons = h(
    'div',
    'row end',
    textButton(texts.cancel, () => done(null)),
    textButton(action, words.send, 'primary'),
  );
  const element = on(h('div', 'editing', words.element, buttons), {
    keydown(event) {
      if ((event as KeyboardEvent).key !== 'Escape') return;
      event.preventDefault();
      done(null);
    },
  });
  return {
    element,
    words: words.element,
    focus() {
      words.element.focus({ preventScroll: true });
      // Within the panel only: the page stays where it is.
      element.scrollIntoView({ block: 'nearest' });
    },
  };
}
