import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { createState } from '../../../src/basics';
import { h } from '../../../ui/dom';
import { askTexts as texts } from '../texts';
import type { Args } from '../tools/check';
import { fieldsOf } from '../tools/fields';
import { createForm } from '../tools/form';
import { openDialog } from '../ui/dialog';

export type Ask = (params: ElicitRequest['params']) => Promise<ElicitResult>;

/** What a tool wants to know before it goes on, asked as a form. */
export const ask: Ask = (params) =>
  new Promise((resolve) => {
    const args = createState<Args>({});
    const schema = 'requestedSchema' in params ? params.requestedSchema : {};
    const form = createForm(schema, args, () => undefined);
    openDialog({
      title: texts.title,
      content: [h('p', {}, params.message), ...(fieldsOf(schema).length ? [form.element] : [])],
      accept: texts.accept,
      refuse: texts.decline,
      allowed: () => form.complain().size === 0,
      closed(isAccepted) {
        if (!isAccepted) resolve({ action: 'decline' });
        else resolve({ action: 'accept', content: args.value as ElicitResult['content'] });
      },
    });
  });
