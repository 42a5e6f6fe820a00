import type { Step } from '../protocol';
import type { SeenItem } from '../queue/entry';
import type { Queue } from '../queue/queue';
import { mayBecome } from '../queue/status';
import { h, iconButton, icons } from '../ui/dom';
import { createField } from '../ui/field';
import {
  aboutText,
  agoText,
  type OpenPlace,
  statusTexts,
  texts,
  workbenchTexts,
} from '../ui/texts';

export interface ItemView {
  readonly element: HTMLElement;
  show(item: SeenItem): void;
}

const MARKS = { pending: '', 'in-progress': '', completed: '✓', failed: '!' };

/** One inspection in the panel. Updated in place, so that focus and a note being edited stay. */
export function createItemView(
  id: string,
  queue: Queue,
  open: OpenPlace,
  actions: HTMLElement[],
): ItemView {
  const chip = h('span');
  const ago = h('span', 'muted grow');
  const description = h('div', 'description');
  const code = h('div', 'code');
  const steps = h('ol', 'steps');
  const message = h('div', 'message');
  const reopen = iconButton(workbenchTexts.reopen, icons.reopen, () =>
    queue.change(id, { kind: 'status', status: 'pending' }),
  );
  const edit = iconButton(workbenchTexts.edit, icons.edit, startEdit);
  const remove = iconButton(workbenchTexts.remove, icons.remove, () => queue.remove([id]));
  const head = h('div', 'row', chip, ago, ...actions, reopen, edit, remove);
  const element = h('li', 'item', head, description, code, steps, message);
  let text = '';
  let isRefused = false;

  function startEdit(): void {
    edit.disabled = true;
    const field = createField(text, (next) => {
      // Saving a refused one tries again.
      if (next !== null && (isRefused || next !== text)) queue.edit(id, next);
      field.element.replaceWith(description);
      edit.disabled = false;
      edit.focus();
    });
    description.replaceWith(field.element);
    field.focus();
  }

  return {
    element,
    show(item) {
      ago.textContent = agoText(item.timestamp);
      const { agent, status, progress, refused } = item;
      const words = refused ?? item.message ?? '';
      isRefused = !!refused;
      text = item.description;
      chip.className = `chip ${refused ? 'failed' : status}`;
      chip.textContent = refused ? texts.notSent : statusTexts[status];
      description.textContent = text || workbenchTexts.noNote;
      // Once: what was picked stays the same, and the focus with it.
      if (!code.firstChild) code.append(...aboutText(item, open));
      steps.replaceChildren(...(progress?.steps ?? []).map(stepView));
      message.hidden = !agent && !words;
      message.replaceChildren(h('b', {}, agent ?? ''), words);
      reopen.hidden = !mayBecome(status, 'pending');
    },
  };
}

function stepView({ title, status }: Step): HTMLElement {
  const mark = h('i', { role: 'img', 'aria-label': statusTexts[status] }, MARKS[status]);
  return h('li', { class: `step ${status}` }, mark, title);
}
