import { button, h } from '../../../ui/dom';
import { durationText } from '../../../ui/words';
import type { Outcome } from '../shared/messages';
import { timeOfDay } from './format';
import { icon } from './icon';
import { type Part, section } from './part';
import { shortName, texts } from './texts';

interface Shown {
  outcomes: Outcome[];
  chosen: string | null;
  canRun: boolean;
}

interface Actions {
  choose(outcome: Outcome): void;
  again(outcome: Outcome): void;
}

function briefly({ params }: Outcome): string {
  const { url, selector, name, code, ...rest } = params;
  const [first] = [url, selector, name, code, ...Object.values(rest)].filter(
    (each) => each !== undefined,
  );
  return first === undefined ? '' : String(first);
}

function rowOf(outcome: Outcome, { choose, again }: Actions): HTMLElement {
  const { command, success, tookMs, at, by, error } = outcome;
  const name = shortName(command);
  const verdict = icon(success ? 'success' : 'failure', success ? texts.succeeded : texts.failed);
  const facts = [durationText(tookMs), timeOfDay(at), by === 'agent' ? texts.agent : texts.you];
  const open = h(
    'button',
    { type: 'button', class: 'entry', onclick: () => choose(outcome) },
    verdict,
    h('code', '', name),
    h('span', 'brief', error ? error.code : briefly(outcome)),
    h('span', 'hint', facts.join(' · ')),
  );
  const repeat = button(texts.again, () => again(outcome), 'small again');
  repeat.setAttribute('aria-label', texts.againOf(name));
  return h('li', { 'data-id': outcome.id }, open, repeat);
}

/** What was done in this tab, by whom; each can be looked at and run again. */
export function createHistory(actions: Actions): Part<Shown> {
  const list = h('ol', 'history-list');
  const empty = h('p', 'empty', texts.noHistory);
  const rows = new Map<string, HTMLElement>();

  function update(outcomes: Outcome[]): void {
    const ids = new Set(outcomes.map(({ id }) => id));
    for (const [id, row] of rows) {
      if (ids.has(id)) continue;
      row.remove();
      rows.delete(id);
    }
    for (const outcome of outcomes.toReversed()) {
      if (rows.has(outcome.id)) continue;
      const row = rowOf(outcome, actions);
      rows.set(outcome.id, row);
      list.prepend(row);
    }
  }
  return {
    element: section(texts.history, 'history', empty, list),
    show({ outcomes, chosen, canRun }) {
      update(outcomes);
      empty.hidden = outcomes.length > 0;
      list.hidden = !outcomes.length;
      for (const [id, row] of rows) {
        const [open, again] = row.children;
        open?.setAttribute('aria-pressed', String(id === chosen));
        again?.toggleAttribute('disabled', !canRun);
      }
    },
  };
}
