import { h } from '../../../ui/dom';
import { icon } from '../ui/icon';
import type { Level } from '../ui/lines';
import { levels, texts } from '../ui/texts';

/** Which levels of the console are shown. */
export function createLevelFilter(changed: () => void) {
  const chosen = new Set(Object.keys(levels) as Level[]);
  const chips = [...chosen].map((level) => {
    const toggle = () => {
      if (box.checked) chosen.add(level);
      else chosen.delete(level);
      changed();
    };
    const box = h('input', { type: 'checkbox', onchange: toggle });
    box.checked = true;
    return h('label', `chip ${level}`, box, h('span', '', icon(level), levels[level]));
  });
  const element = h(
    'div',
    { class: 'segments', role: 'group', 'aria-label': texts.showLevels },
    ...chips,
  );
  return { element, chosen };
}
