import { clip } from '../basics';
import { nameOf, roleOf } from '../element/a11y';
import { parentOf } from '../element/deep';
import type { Highlight, Told } from '../highlight';
import { h } from '../ui/dom';

const SHOWN_PARENTS = 3;
const NAME_CHARS = 40;
const CLASS_CHARS = 24;
/** The name of what holds more is the text of it all: long to find, and too long to show. */
const MAX_INSIDE = 30;

const GAP_PX = 6;
const REST_MS = 80;
/** Two frames that take so long: painting the page anew is more than it can do while the pointer moves. */
const SLOW_MS = 45;

/**
 * Beside what is highlighted: what it is, where it is written, how large, where in the page, and what assistive
 * technology calls it. New words paint the page anew; where that takes long, they wait until the pointer rests.
 */
export function createTip({ told, drawn }: Highlight): HTMLElement {
  const words = [h('b'), h('span'), h('span', 'place')];
  const [size, role] = [h('span', 'size'), h('span', 'place')];
  const way = h('div', 'way');
  const tip = h('div', { class: 'tip', hidden: true }, ...words, size, role, way);
  let isSlow = false;
  let isPut = false;
  let known: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function put({ element, words: shown }: Told): void {
    isPut = true;
    tip.hidden = false;
    words.forEach((word, index) => void say(word, shown[index]));
    say(role, element ? calledOf(element) : '');
    say(way, element ? wayTo(element) : '');
    place();
    const start = performance.now();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        isSlow = performance.now() - start > SLOW_MS;
      }),
    );
  }
  function place(): void {
    if (!drawn.value || !isPut) return;
    const { x, y, width, height } = drawn.value.box;
    say(size, `${Math.round(width)} × ${Math.round(height)}`);
    const { offsetWidth, offsetHeight } = tip;
    const below = y + height + GAP_PX;
    const above = Math.max(GAP_PX, y - offsetHeight - GAP_PX);
    const top = below + offsetHeight < innerHeight ? below : above;
    const left = Math.max(GAP_PX, Math.min(x, innerWidth - offsetWidth - GAP_PX));
    tip.style.transform = `translate(${left}px,${top}px)`;
  }
  told.watch((now) => {
    clearTimeout(timer);
    isPut = false;
    tip.hidden = !now;
    if (!now) return;
    const isOther = now.element !== known;
    known = now.element;
    if (!isSlow || !isOther) return put(now);
    // Out of sight, which costs no painting.
    tip.style.transform = 'translate(-9999px,0)';
    timer = setTimeout(put, REST_MS, now);
  });
  drawn.watch(place);
  return tip;
}

function say(element: HTMLElement, text = ''): void {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
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
