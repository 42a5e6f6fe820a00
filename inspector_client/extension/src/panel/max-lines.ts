import { limits } from '../../../../companion/pageside/contract/tabs.json';
import { h } from '../../../ui/dom';
import { texts } from '../ui/texts';

const STANDARD = 100;
const MOST = limits.consoleEntries;

/** How many lines of the console are shown; what is no such number becomes the nearest that is. */
export function createMaxLines(changed: () => void) {
  const input = h('input', {
    type: 'number',
    class: 'max-lines',
    min: 1,
    max: MOST,
    value: STANDARD,
    onchange: () => {
      input.value = String(value());
      changed();
    },
  });
  const value = () => Math.min(MOST, Math.max(1, Math.round(Number(input.value)) || STANDARD));
  return {
    element: h('label', 'check', h('span', '', texts.maxLines), input),
    get value() {
      return value();
    },
  };
}
