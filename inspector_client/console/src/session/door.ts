import { copyButton } from '../../../ui/copy';
import { h } from '../../../ui/dom';
import { enteringTexts as texts } from '../texts';

/** What stands there when there is no good token: how to get in. */
export function door(why: string): Node[] {
  return [
    h('h2', {}, texts.title),
    h('p', { role: 'alert' }, why),
    h(
      'p',
      'command',
      h('code', {}, texts.command),
      copyButton(() => texts.command),
    ),
  ];
}
