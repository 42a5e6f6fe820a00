import { h, setText } from '../../../ui/dom';
import type { Failure } from '../shared/messages';
import { icon } from './icon';
import type { Part } from './part';
import { fixOf } from './texts';

/** What went wrong: the code, what was said, and what to do. */
export function createProblem(): Part<Failure | null> {
  const code = h('code', 'problem-code');
  const message = h('p', 'problem-message');
  const fix = h('p', 'problem-fix');
  const head = h('p', 'problem-head', icon('warning'), code);
  const element = h('div', { class: 'problem', hidden: true }, head, message, fix);
  return {
    element,
    show(failure) {
      element.hidden = !failure;
      if (!failure) return;
      setText(code, failure.code);
      setText(message, failure.message);
      setText(fix, fixOf(failure));
      fix.hidden = !fix.textContent;
    },
  };
}
