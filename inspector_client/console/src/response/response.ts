import { copyButton } from '../../../ui/copy';
import { freshId, h } from '../../../ui/dom';
import { jsonTree } from '../../../ui/json-tree';
import { segments } from '../../../ui/segments';
import { durationText } from '../../../ui/words';
import { responseTexts as texts } from '../texts';
import { timeElement } from '../ui/times';
import { longText } from './long-text';
import {
  dataOf,
  isData,
  isUntrusted,
  lacksPictures,
  type Outcome,
  picturesOf,
  textOf,
  withoutPictures,
} from './outcome';
import { pictures } from './pictures';

type View = 'tree' | 'text' | 'json';

export interface Response {
  element: HTMLElement;
  show(outcome: Outcome | undefined): void;
}

/** What a call answered: how it ended, pictures, and the content as tree, text or JSON. */
export function createResponse(): Response {
  const id = freshId('response');
  const status = h('div', { class: 'status', role: 'status' });
  const body = h('div', 'response-body');
  let view: View = 'tree';

  function show(outcome: Outcome | undefined): void {
    status.replaceChildren(...(outcome ? head(outcome) : []));
    body.replaceChildren(...(outcome ? content(outcome) : [h('p', 'empty', texts.none)]));
    // Below a long form, or above the history, it would come unseen.
    if (outcome) status.scrollIntoView({ block: 'nearest' });
  }
  function content(outcome: Outcome): Node[] {
    const { result } = outcome;
    if (!result) return outcome.isShortened ? [h('p', 'empty', texts.tooLarge)] : [];
    const shown = h('div', 'content');
    // What is only text is best read as such.
    const first = isData(result) ? view : 'text';
    const choice = segments<View>(texts.view, texts.views, first, (next) => {
      view = next;
      shown.replaceChildren(views[view]());
    });
    const json = JSON.stringify(withoutPictures(result), null, 2);
    const views: Record<View, () => HTMLElement> = {
      tree: () => jsonTree(dataOf(result)),
      text: () => (textOf(result) ? longText(textOf(result), texts.views.text) : emptyText()),
      json: () => longText(json, texts.views.json),
    };
    const copied = () => (choice.value === 'text' ? textOf(result) : json);
    shown.replaceChildren(views[first]());
    return [
      pictures(picturesOf(result)),
      ...(lacksPictures(result) ? [h('p', 'empty', texts.noPictures)] : []),
      ...(isUntrusted(result) ? [h('p', 'untrusted', texts.untrusted)] : []),
      h('div', 'head', choice.element, copyButton(copied)),
      shown,
    ];
  }

  show(undefined);
  return {
    element: h(
      'section',
      { class: 'card response', 'aria-labelledby': id },
      h('h2', { id }, texts.name),
      status,
      body,
    ),
    show,
  };
}

function emptyText(): HTMLElement {
  return h('p', 'empty', texts.empty);
}

const NAMES = { success: texts.success, failed: texts.failed, cancelled: texts.cancelled };
const SIGNS = { success: '✓', failed: '✗', cancelled: '–' };

function head({ kind, tool, tookMs, at, failure }: Outcome): Node[] {
  const line = h(
    'p',
    `ended ${kind}`,
    h('span', { 'aria-hidden': 'true' }, `${SIGNS[kind]} `),
    h('b', {}, NAMES[kind]),
    ' ',
    h('span', 'took', `(${durationText(tookMs)})`),
    ' ',
    h('code', {}, tool),
    ' ',
    timeElement(at),
  );
  if (!failure) return [line];
  const { code, message, fix } = failure;
  return [
    line,
    h('p', 'failure', code && h('code', 'error-code', code), ' ', message),
    ...(fix ? [h('p', 'fix', h('b', {}, texts.fix), ' ', fix)] : []),
  ];
}
