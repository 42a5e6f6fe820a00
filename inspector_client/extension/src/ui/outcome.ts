import { copyButton } from '../../../ui/copy';
import { h } from '../../../ui/dom';
import { jsonTree } from '../../../ui/json-tree';
import { segments } from '../../../ui/segments';
import { durationText } from '../../../ui/words';
import type { Outcome, TabState } from '../shared/messages';
import { timeOfDay } from './format';
import { icon } from './icon';
import { type Part, section } from './part';
import { pictureOf, thumbnail, withoutData } from './picture';
import { createProblem } from './problem';
import { shortName, texts } from './texts';

type View = 'tree' | 'text';

const asText = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'undefined';

function headOf(outcome: Outcome): HTMLElement {
  const { command, success, tookMs, at, by } = outcome;
  const verdict = h(
    'span',
    `verdict ${success ? 'success' : 'failure'}`,
    icon(success ? 'success' : 'failure'),
    success ? texts.succeeded : texts.failed,
  );
  const facts = [
    texts.took(durationText(tookMs)),
    timeOfDay(at),
    by === 'agent' ? texts.byAgent : texts.byUser,
  ];
  return h(
    'p',
    'outcome-head',
    verdict,
    h('code', '', shortName(command)),
    h('span', 'hint', facts.join(' · ')),
  );
}

function paramsOf({ params }: Outcome): HTMLElement[] {
  if (!Object.keys(params).length) return [];
  return [h('details', 'params', h('summary', '', texts.parameters), jsonTree(params))];
}

export interface OutcomeView extends Part<{ state: TabState; outcome: Outcome | null }> {
  /** Of the outcome of that id, in base64; empty if it is no longer kept. */
  showPicture(id: string, data: string): void;
}

/** The response area: how a command went, and what it gave. `readPicture` asks for that of an outcome. */
export function createOutcome(readPicture: (id: string) => void): OutcomeView {
  let view: View = 'tree';
  let shown: { outcome: Outcome; tab: number } | null = null;
  let value: unknown = null;
  const head = h('div', { role: 'status' });
  const problem = createProblem();
  const body = h('div', 'outcome-body');
  const image = h('div', '');
  const data = h('div', 'outcome-data');
  const choice = segments(texts.view, { tree: texts.tree, text: texts.text }, view, (chosen) => {
    view = chosen;
    showValue();
  });
  const tools = h(
    'div',
    'row',
    choice.element,
    copyButton(() => asText(value)),
  );

  function showValue(): void {
    const raw = h(
      'pre',
      { class: 'raw', tabindex: 0, 'aria-label': texts.response },
      asText(value),
    );
    data.replaceChildren(view === 'tree' ? jsonTree(value) : raw);
  }
  function showOutcome(outcome: Outcome): void {
    const picture = pictureOf(outcome);
    value = picture ? withoutData(picture) : outcome.result;
    head.replaceChildren(headOf(outcome));
    problem.show(outcome.error);
    const result = outcome.success ? [tools, data] : [];
    image.replaceChildren();
    body.replaceChildren(...(picture ? [image] : []), ...paramsOf(outcome), ...result);
    showValue();
    if (picture) readPicture(outcome.id);
  }
  head.append(h('p', 'empty', texts.noResponse));
  return {
    element: section(texts.response, 'response', head, problem.element, body),
    show({ state, outcome }) {
      if (!outcome || outcome.id === shown?.outcome.id) return;
      shown = { outcome, tab: state.tab };
      showOutcome(outcome);
    },
    showPicture(id, data) {
      const picture = shown?.outcome.id === id && pictureOf(shown.outcome);
      if (!shown || !picture) return;
      const element = data
        ? thumbnail({ ...picture, data }, shown.tab, id)
        : h('p', 'hint', texts.noPicture);
      image.replaceChildren(element);
    },
  };
}
