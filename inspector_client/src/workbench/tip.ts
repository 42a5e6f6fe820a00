import { clip } from '../basics';
import { nameOf, roleOf } from '../element/a11y';
import { parentOf } from '../element/deep';
import type { Highlight } from '../highlight';
import { h } from '../ui/dom';

const SHOWN_PARENTS = 3;
const NAME_CHARS = 40;
const CLASS_CHARS = 24;
/** The name of what holds more is the text of it all: long to find, and too long to show. */
const MAX_INSIDE = 30;

/** Adds to the tip where in the page one is, and what assistive technology calls it. */
export function fillTip({ told }: Highlight): void {
  const role = h('span', 'place');
  const way = h('div', 'way');
  told.on((element, tip) => {
    role.textContent = element ? calledOf(element) : '';
    way.textContent = element ? wayTo(element) : '';
    role.hidden = !role.textContent;
    way.hidden = !way.textContent;
    if (way.parentNode !== tip) tip.append(role, way);
  });
}

function calledOf(element: Element): string {
  const role = roleOf(element);
  if (!role || role === element.localName) return '';
  const isSmall = element.getElementsByTagName('*').length <= MAX_INSIDE;
  const name = isSmall ? nameOf(element) : '';
  return name ? `${role} “${clip(name, NAME_CHARS)}”` : role;
}

/** The nearest parents, outermost first: where the arrow up leads. */
export function wayTo(element: Element): string {
  const names: string[] = [];
  let at = parentOf(element);
  for (; at && names.length < SHOWN_PARENTS; at = parentOf(at)) names.unshift(shortName(at));
  if (at) names.unshift('…');
  return names.join(' › ');
}

function shortName({ localName, id, classList }: Element): string {
  const [first] = classList;
  return clip(localName + (id ? `#${id}` : first ? `.${first}` : ''), CLASS_CHARS);
}
