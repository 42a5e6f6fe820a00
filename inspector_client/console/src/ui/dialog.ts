import { button, freshId, h } from '../../../ui/dom';

export interface DialogOptions {
  title: string;
  content: Node[];
  /** Of the button that says yes; without it there is only one to close. */
  accept?: string;
  refuse: string;
  /** Whether yes may be said now. */
  allowed?(): boolean;
  closed?(isAccepted: boolean): void;
}

/** A modal dialog; Escape is the same as its last button. */
export function openDialog(options: DialogOptions): void {
  const { title, content, accept, refuse, allowed, closed } = options;
  const id = freshId('dialog');
  let isAccepted = false;
  const yes = () => {
    if (allowed?.() === false) return;
    isAccepted = true;
    dialog.close();
  };
  const dialog = h(
    'dialog',
    {
      'aria-labelledby': id,
      onclose() {
        dialog.remove();
        closed?.(isAccepted);
      },
    },
    h('h2', { id }, title),
    h('div', 'dialog-body', ...content),
    h(
      'div',
      'actions',
      accept && button(accept, yes, 'primary'),
      button(refuse, () => dialog.close()),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
