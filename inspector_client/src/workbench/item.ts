import type { Remarks, Step } from '../protocol';
import type { SeenItem } from '../queue/entry';
import type { Queue } from '../queue/queue';
import { h, iconButton, icons, textButton } from '../ui/dom';
import { createField } from '../ui/field';
import { aboutText, type OpenPlace, statusTexts, texts } from '../ui/texts';
import type { Draft, DraftKind } from './kept';
import { remarkChips } from './remark-chips';
import { createWords } from './remarks';
import { isEnded, isFinished } from './standing';
import { agoText, queueTexts, workbenchTexts } from './texts';
import { createAnswer, createThread } from './thread';

export interface ItemView {
  readonly element: HTMLElement;
  show(item: SeenItem, number: number): void;
  /** What is half-written in it. */
  drafts(): Draft[];
  /** Goes on with what was. */
  resume(draft: Draft): void;
}

export interface ItemParts {
  queue: Queue;
  open: OpenPlace;
  /** Buttons of others. */
  actions: HTMLElement[];
  /** What the item is moved by. */
  handle(element: HTMLElement): HTMLElement;
  /** Scrolls the page to its element. */
  find(id: string): void;
}

const MARKS = { pending: '', 'in-progress': '', completed: '✓', failed: '!' };
const TARGET = 'M10 3v3M10 14v3M3 10h3M14 10h3M6 10a4 4 0 1 1 8 0a4 4 0 1 1 -8 0';

/** One inspection in the panel. Updated in place, so that focus and a note being edited stay. */
export function createItemView(id: string, parts: ItemParts): ItemView {
  const { queue, open } = parts;
  const badge = h('span', { class: 'number', role: 'img' });
  const chip = h('span');
  const ago = h('span', 'muted grow');
  const description = h('div', 'description');
  const code = h('div', 'code');
  const steps = h('ol', 'steps');
  const message = h('div', 'message');
  const thread = createThread();
  const find = iconButton(queueTexts.show, TARGET, () => parts.find(id));
  const edit = iconButton(workbenchTexts.edit, icons.edit, () => startEdit());
  const remove = iconButton(workbenchTexts.remove, icons.remove, () => queue.remove([id]));
  const reply = textButton(queueTexts.reply, () => startReply(), 'quiet');
  const accept = textButton(
    queueTexts.accept,
    () => queue.change(id, { kind: 'accept', accepted: Date.now() }),
    'primary',
  );
  const reopen = textButton(queueTexts.reopen, () => startReopen(), 'quiet');
  const foot = h('div', 'row end', reply, reopen, accept);
  const head = h('div', 'row head');
  const said = h('div', 'row');
  const body = [said, description, code, steps, thread.element, message, foot];
  const element = h('li', { class: 'item', tabindex: -1 }, head, ...body);
  const handle = parts.handle(element);
  head.append(handle, badge, chip, find, ...parts.actions, edit, remove);
  let told = '';
  let text = '';
  let isRefused = false;
  let shown: Remarks = {};
  /** What stands in the fields that are open. */
  const writing = new Map<DraftKind, () => string>();

  function startEdit(kept?: Draft): void {
    edit.disabled = true;
    const words = createWords(shown);
    const done = (next: string | null) => {
      writing.delete('edit');
      // Saving a refused one tries again.
      if (next !== null && (isRefused || next !== text || words.isChanged))
        queue.edit(id, next, words.value);
      field.element.replaceWith(description);
      edit.disabled = false;
      edit.focus();
    };
    const field = createField(kept?.text ?? text, done, { below: words.element });
    writing.set('edit', () => field.text);
    description.replaceWith(field.element);
    if (kept?.hasFocus !== false) field.focus();
  }
  function startReply(kept?: Draft): void {
    ask('reply', queueTexts.replyHere, queueTexts.send, kept, (words) => {
      if (words) queue.change(id, { kind: 'reply', text: words });
    });
  }
  function startReopen(kept?: Draft): void {
    ask('reopen', queueTexts.reopenHere, queueTexts.reopen, kept, (words) =>
      queue.change(id, {
        kind: 'status',
        status: 'pending',
        ...(words && { message: words }),
      }),
    );
  }
  /** The field takes the place of the buttons. */
  function ask(
    kind: 'reply' | 'reopen',
    label: string,
    action: string,
    kept: Draft | undefined,
    done: (text: string) => void,
  ): void {
    const answer = createAnswer(label, action, (words) => {
      writing.delete(kind);
      answer.element.replaceWith(foot);
      if (words !== null) done(words);
      (kind === 'reply' ? reply : reopen).focus();
    });
    answer.words.value = kept?.text ?? '';
    writing.set(kind, () => answer.words.value);
    foot.replaceWith(answer.element);
    if (kept?.hasFocus !== false) answer.focus();
  }

  function showHead(item: SeenItem, number: number): void {
    const { agent, status, refused } = item;
    handle.hidden = isFinished(item);
    badge.className = `number ${status}`;
    badge.textContent = String(number);
    badge.ariaLabel = queueTexts.number(number);
    const since = [agent, agoText(item.timestamp)].filter(Boolean).join(' · ');
    ago.textContent = ago.title = since;
    chip.className = `chip grow ${refused ? 'failed' : status}`;
    chip.textContent = refused ? texts.notSent : statusTexts[status];
  }
  /** What has no room in the thread, or is from before there were threads. */
  function showMessage({ refused, message: told = '', replies = [] }: SeenItem): void {
    const isSaid = replies.some((one) => one.text === told);
    message.textContent = refused ?? (isSaid ? '' : told);
    message.hidden = !message.textContent;
  }
  return {
    element,
    drafts() {
      const root = element.getRootNode() as Partial<ShadowRoot>;
      const hasFocus = element.contains(root.activeElement ?? null);
      return [...writing].map(([kind, said]) => ({ id, kind, text: said(), hasFocus }));
    },
    resume(draft) {
      if (draft.kind === 'edit') startEdit(draft);
      // Its agent may have ended it meanwhile.
      else if (reply.hidden) startReopen(draft);
      else startReply(draft);
    },
    show(item, number) {
      const isDone = isFinished(item);
      const times = [item.timestamp, ...(item.replies ?? []).map(({ at }) => at)];
      const now = JSON.stringify([item, number, isDone, times.map((time) => agoText(time))]);
      // What is written again is laid out again.
      if (now === told) return;
      told = now;
      isRefused = !!item.refused;
      shown = item;
      said.replaceChildren(...remarkChips(item), ago);
      text = item.description;
      element.classList.toggle('finished', isDone);
      showHead(item, number);
      description.textContent = text || workbenchTexts.noNote;
      // Once: what was picked stays the same, and the focus with it.
      if (!code.firstChild) code.append(...aboutText(item, open));
      steps.replaceChildren(...(item.progress?.steps ?? []).map(stepView));
      thread.show(item.replies ?? []);
      showMessage(item);
      reply.hidden = isEnded(item) || isRefused;
      reopen.hidden = !isEnded(item);
      accept.hidden = !isEnded(item) || isDone;
    },
  };
}

function stepView({ title, status }: Step): HTMLElement {
  const mark = h('i', { role: 'img', 'aria-label': statusTexts[status] }, MARKS[status]);
  return h('li', { class: `step ${status}` }, mark, title);
}
