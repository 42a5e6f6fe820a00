import type { InspectionItem, Step } from '../protocol';
import { mayBecome } from '../queue/status';
import { button, h, icons } from './dom';
import { createField } from './field';
import { agoText, placeText, statusTexts, stepTexts, texts } from './texts';

export interface ItemActions {
  edit(id: string, description: string): void;
  remove(id: string): void;
  reopen(id: string): void;
}

export interface ItemView {
  readonly element: HTMLElement;
  show(item: InspectionItem): void;
}

const MARKS = { pending: '', 'in-progress': '', completed: '✓', failed: '!' };

/** One inspection in the panel. Updated in place, so that focus and a note being edited stay. */
export function createItemView(id: string, actions: ItemActions): ItemView {
  const chip = h('span');
  const ago = h('span', { class: 'meta grow' });
  const description = h('div', { class: 'description' });
  const code = h('div', { class: 'code' });
  const steps = h('ol', { class: 'steps' });
  const message = h('div', { class: 'message' });
  const reopen = button({
    label: texts.reopen,
    icon: icons.reopen,
    class: 'small',
    press: () => actions.reopen(id),
  });
  const edit = button({ label: texts.edit, icon: icons.edit, class: 'small', press: startEdit });
  const remove = button({
    label: texts.remove,
    icon: icons.remove,
    class: 'small',
    press: () => actions.remove(id),
  });
  const element = h(
    'li',
    { class: 'item' },
    h('div', { class: 'row' }, chip, ago, h('div', { class: 'actions' }, reopen, edit, remove)),
    description,
    code,
    steps,
    message,
  );
  let text = '';

  function startEdit(): void {
    const field = createField(text, (next) => {
      if (next !== null && next !== text) actions.edit(id, next);
      field.element.replaceWith(description);
      edit.disabled = false;
      edit.focus();
    });
    edit.disabled = true;
    description.replaceWith(field.element);
    field.focus();
  }

  return {
    element,
    show(item) {
      text = item.description;
      chip.className = `chip ${item.status}`;
      chip.textContent = statusTexts[item.status];
      ago.textContent = agoText(item.timestamp, Date.now());
      description.textContent = text || texts.noNote;
      description.classList.toggle('muted', !text);
      showPlace(code, item);
      showSteps(steps, item.progress?.steps ?? []);
      showMessage(message, item);
      reopen.hidden = !mayBecome(item.status, 'pending');
    },
  };
}

export function showPlace(code: HTMLElement, item: Pick<InspectionItem, 'sourceInfo'>): void {
  const { component, elementInfo } = item.sourceInfo;
  const parts = [component, placeText(item)].filter(Boolean).join(' · ');
  code.replaceChildren(h('b', {}, `<${elementInfo.tagName}>`), ` ${parts}`);
}

function showSteps(list: HTMLElement, steps: Step[]): void {
  list.hidden = steps.length === 0;
  list.ariaLabel = texts.steps(
    steps.filter((one) => one.status === 'completed').length,
    steps.length,
  );
  list.replaceChildren(
    ...steps.map(({ title, status }) =>
      h(
        'li',
        { class: `step ${status}` },
        h('i', { role: 'img', 'aria-label': stepTexts[status] }, MARKS[status]),
        h('span', {}, title),
      ),
    ),
  );
}

function showMessage(box: HTMLElement, { agent, message }: InspectionItem): void {
  box.hidden = !agent && !message;
  box.replaceChildren(...(agent ? [h('b', {}, agent)] : []), message ?? '');
}
