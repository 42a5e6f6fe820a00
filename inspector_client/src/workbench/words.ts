import { attempt, isRecord } from '../basics';
import { limits, workbenchKeys } from '../protocol';
import { h, on } from '../ui/dom';

export interface Words {
  readonly element: HTMLTextAreaElement;
  send(): void;
}

/** A field for an answer: Enter sends, Shift+Enter breaks the line. What was written for the ticket outlives a reload. */
export function createWords(
  label: string,
  ticket: string | undefined,
  done: (text: string) => void,
): Words {
  const props = { maxlength: limits.answerChars, placeholder: label, 'aria-label': label };
  const element = h('textarea', props);
  const send = () => done(element.value.trim());
  element.value = readDraft(ticket);
  on(element, {
    input: () => keepDraft(ticket, element.value),
    keydown(event) {
      const { key, shiftKey, isComposing } = event as KeyboardEvent;
      if (key !== 'Enter' || shiftKey || isComposing) return;
      event.preventDefault();
      send();
    },
  });
  return { element, send };
}

function keepDraft(ticket: string | undefined, text: string): void {
  if (ticket)
    attempt(() => sessionStorage.setItem(workbenchKeys.answer, JSON.stringify({ ticket, text })));
}

function readDraft(ticket: string | undefined): string {
  const kept = attempt(() => JSON.parse(sessionStorage.getItem(workbenchKeys.answer) ?? 'null'));
  const isMine = !!ticket && isRecord(kept) && kept.ticket === ticket;
  return isMine && typeof kept.text === 'string' ? kept.text : '';
}
