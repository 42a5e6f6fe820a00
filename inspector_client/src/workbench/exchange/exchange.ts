import { messageOf } from '../../basics';
import type { InspectionItem } from '../../protocol';
import type { SeenItem } from '../../queue/entry';
import { isOpen } from '../../queue/status';
import { h, iconButton, on, textButton } from '../../ui/dom';
import { texts } from '../../ui/texts';
import type { WorkbenchParts } from '../../workbench';
import { exchangeTexts } from '../texts';
import { copied } from './clipboard';
import { type Read, read, UnreadableFile, written } from './format';
import { markdownOf, markdownOfAll } from './markdown';

export interface Exchange {
  /** Copy all, export, import: for the list as a whole. */
  actions: HTMLElement[];
  /** Copy: for one of it. */
  itemActions(item: SeenItem): HTMLElement[];
  /** What could not be copied by itself is shown here. */
  readonly element: HTMLElement;
}

const COPY = 'M7 7V3h10v10h-4M3 7h10v10H3z';
/** So many are taken in at once: the page is to stay quick. */
const PORTION = 10;
const MAX_BYTES = 64 * 1024 * 1024;

type Parts = Pick<WorkbenchParts, 'host' | 'queue' | 'connection' | 'toasts'>;

/** What works without an agent: inspections as text, and as a file. */
export function createExchange({ host, queue, connection, toasts }: Parts): Exchange {
  const words = h('textarea', { readonly: true, 'aria-label': exchangeTexts.byHand });
  const element = on(
    h(
      'div',
      { class: 'byhand', role: 'dialog', 'aria-label': exchangeTexts.byHand, hidden: true },
      h('div', 'muted', exchangeTexts.byHand),
      words,
      h('div', 'row end', textButton(texts.close, close)),
    ),
    {
      keydown(event) {
        if ((event as KeyboardEvent).key !== 'Escape') return;
        event.preventDefault();
        close();
      },
    },
  );
  let opener: HTMLElement | null = null;

  function close(): void {
    element.hidden = true;
    opener?.focus();
  }
  async function copy(text: string, done: string): Promise<void> {
    if (await copied(text, host.root)) return toasts.show(done);
    opener = host.root.activeElement as HTMLElement | null;
    words.value = text;
    element.hidden = false;
    words.focus();
    words.select();
  }
  function copyOne(id: string): void {
    const item = queue.items().find((one) => one.id === id);
    if (item) void copy(markdownOf(item), exchangeTexts.copied(1));
  }
  function copyAll() {
    const open = queue.items().filter(({ status }) => isOpen(status));
    if (open.length === 0) return toasts.show(exchangeTexts.nothing);
    void copy(markdownOfAll(open), exchangeTexts.copied(open.length));
  }
  function save() {
    const items = queue.items();
    if (items.length === 0) return toasts.show(exchangeTexts.nothing);
    const { value } = connection;
    const text = written(items, value.state === 'online' ? value.project : '', Date.now());
    // Where a page is sandboxed, downloads come to nothing, and nobody says so.
    if (self.origin === 'null') {
      void copy(text, exchangeTexts.copiedFile);
      return;
    }
    download(text, `pageside-inspections-${new Date().toISOString().slice(0, 10)}.json`);
    toasts.show(exchangeTexts.exported(items.length));
  }
  function load(): void {
    // Not in the page, so its events are not the page's either, and the gate does not bring them.
    const picker = h('input', { type: 'file', accept: '.json,application/json' });
    picker.addEventListener('change', () => {
      const [file] = picker.files ?? [];
      if (file) void bring(file);
    });
    picker.click();
  }
  async function bring(file: File): Promise<void> {
    try {
      if (file.size > MAX_BYTES) throw new UnreadableFile(exchangeTexts.unreadable.tooLarge);
      const found = read(await file.text(), Date.now());
      const here = await takeIn(found.items);
      toasts.show(summaryOf(found, here));
    } catch (error) {
      toasts.show(`${exchangeTexts.notImported} ${messageOf(error)}`);
    }
  }
  /** How many of them were here already. */
  async function takeIn(items: InspectionItem[]): Promise<number> {
    let here = 0;
    for (const [index, item] of items.entries()) {
      if (!queue.bring(item)) here++;
      if (index % PORTION === PORTION - 1) await new Promise((next) => setTimeout(next));
    }
    return here;
  }
  function summaryOf({ items, wrong, project }: Read, here: number): string {
    const { value } = connection;
    const isForeign = project && value.state === 'online' && project !== value.project;
    const skipped = here + wrong.length;
    return [
      exchangeTexts.imported(items.length - here),
      skipped > 0 && exchangeTexts.skipped(skipped, here, wrong),
      isForeign && exchangeTexts.foreign(project),
    ]
      .filter(Boolean)
      .join(' ');
  }
  return {
    element,
    actions: [
      textButton(exchangeTexts.copyAll, copyAll, 'quiet'),
      textButton(exchangeTexts.export, save, 'quiet'),
      textButton(exchangeTexts.import, load, 'quiet'),
    ],
    itemActions: ({ id }) => [iconButton(exchangeTexts.copy, COPY, () => copyOne(id))],
  };
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  // Never in the page: its listeners would see the click.
  const link = h('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
