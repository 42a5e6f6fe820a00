import { button, freshId, h } from '../../../ui/dom';
import { durationText } from '../../../ui/words';
import { historyTexts as texts } from '../texts';
import { argsText } from '../tools/json-text';
import { openDialog } from '../ui/dialog';
import { arrange } from '../ui/keyed';
import { signButton } from '../ui/sign-button';
import { timeElement } from '../ui/times';
import { download, exportText } from './export';
import type { HistoryEntry, HistoryStore } from './store';

export interface HistoryOptions {
  store: HistoryStore;
  /** Whether a run of the tool may destroy something. */
  isDestructive(tool: string): boolean;
  run(entry: HistoryEntry): void;
  load(entry: HistoryEntry): void;
  show(entry: HistoryEntry): void;
}

const SIGNS = { success: '✓', failed: '✗', cancelled: '–' };

/** What was run, newest first. */
export function createHistoryView(options: HistoryOptions): HTMLElement {
  const { store } = options;
  const id = freshId('history');
  const list = h('ol', { class: 'history', reversed: true });
  const nothing = h('p', 'empty', texts.none);
  const notice = h('p', { class: 'notice', role: 'status' });
  const rows = new Map<string, HTMLElement>();
  const tools = h(
    'div',
    'actions',
    button(texts.export, () => download('pageside-history.json', exportText(store.entries.value))),
    button(texts.clear, clear),
  );

  function clear(): void {
    openDialog({
      ...{ title: texts.sureClear, content: [h('p', {}, texts.sureClearWhy)] },
      ...{ accept: texts.clear, refuse: texts.cancel },
      closed: (isAccepted) => isAccepted && store.clear(),
    });
  }
  function again(entry: HistoryEntry): void {
    if (!options.isDestructive(entry.tool)) options.run(entry);
    else sure(entry);
  }
  function sure(entry: HistoryEntry): void {
    openDialog({
      title: texts.sure(entry.tool),
      content: [h('p', {}, texts.sureWhy), h('pre', { tabindex: 0 }, argsText(entry.args))],
      ...{ accept: texts.run, refuse: texts.cancel },
      closed: (isAccepted) => isAccepted && options.run(entry),
    });
  }
  function remove(entry: HistoryEntry): void {
    const row = rows.get(entry.id);
    const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('button');
    store.remove(entry.id);
    (next ?? list).focus();
  }
  function rowOf(entry: HistoryEntry): HTMLElement {
    const { tool, kind, at, tookMs } = entry;
    const label = (what: string) => `${what}: ${tool}`;
    return h(
      'li',
      'run',
      h(
        'button',
        {
          type: 'button',
          class: 'entry-button',
          title: texts.show,
          onclick: () => options.show(entry),
        },
        timeElement(at),
        h('span', 'tool-name', tool),
        h(
          'span',
          'ended-as',
          h('span', { class: kind, 'aria-hidden': 'true' }, SIGNS[kind]),
          h('span', 'unseen', ` ${texts.ended[kind]} `),
          h('span', 'took', durationText(tookMs)),
        ),
      ),
      h(
        'span',
        'signs',
        signButton('↻', label(texts.again), () => again(entry)),
        signButton('✎', label(texts.load), () => options.load(entry)),
        signButton('×', label(texts.remove), () => remove(entry)),
      ),
    );
  }
  function draw(entries: HistoryEntry[]): void {
    const wanted = new Set(entries.map((entry) => entry.id));
    for (const key of [...rows.keys()]) if (!wanted.has(key)) rows.delete(key);
    for (const entry of entries) if (!rows.has(entry.id)) rows.set(entry.id, rowOf(entry));
    arrange(
      list,
      entries.flatMap((entry) => rows.get(entry.id) ?? []),
    );
    nothing.hidden = entries.length > 0;
    tools.hidden = entries.length === 0;
  }

  store.entries.watch(draw);
  store.trouble.watch((trouble) => {
    notice.textContent = trouble ? texts.troubles[trouble] : '';
  });
  return h(
    'section',
    { class: 'card history-card', 'aria-labelledby': id },
    h('div', 'head', h('h2', { id }, texts.name), tools),
    notice,
    nothing,
    list,
  );
}
