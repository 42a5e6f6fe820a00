import { boxOf, isVisible } from '../element/deep';
import { firstMatch } from '../element/query';
import type { Box } from '../protocol';
import { covering } from '../ui/box';
import { h, on } from '../ui/dom';

const BADGE_PX = 24;
/** What is not there yet, or not any more, is looked for that often. */
const SEARCH_MS = 250;

/** One of the elements that the user chooses from. */
export interface Candidate {
  index: number;
  letter: string;
  selector: string;
  /** As it is in the page now; null while nothing matches. */
  element: Element | null;
  /** How many the selector matches; `element` is the first that can be seen. */
  matches: number;
}

export interface Letters {
  readonly element: HTMLElement;
  readonly candidates: Candidate[];
  show(isVisible: boolean): void;
  /** Makes one stand out, scrolled into view; null: none. */
  point(candidate: Candidate | null): void;
}

export function candidateOf(selector: string, index: number): Candidate {
  const letter = String.fromCharCode(65 + index);
  return { index, letter, selector, element: null, matches: 0 };
}

/** Whether another element is meant now; raises `INVALID_SELECTOR`. */
export function search(candidate: Candidate): boolean {
  const before = candidate.element;
  if (before?.isConnected) return false;
  Object.assign(candidate, firstMatch(candidate.selector));
  return candidate.element !== before;
}

/** Boxes and letters at elements of the page; they follow it as it scrolls and moves. */
export function createLetters(
  candidates: Candidate[],
  choose: (candidate: Candidate) => void,
  changed: () => void,
  /** Where the card is; it lies at the bottom. */
  card: () => Box,
): Letters {
  const marks = candidates.map((candidate) => {
    const badge = h('div', 'letter', candidate.letter);
    return {
      candidate,
      box: h('div', 'box lettered'),
      badge: on(badge, { click: () => choose(candidate) }),
    };
  });
  const boxes = marks.map(({ box }) => box);
  const badges = marks.map(({ badge }) => badge);
  // Who cannot see them has the entries of the card.
  const element = h('div', { 'aria-hidden': true, hidden: true }, ...boxes, ...badges);
  let frame = 0;
  let searched = 0;

  function follow(now: number): void {
    if (now - searched > SEARCH_MS) {
      searched = now;
      // All of them, each time.
      if (candidates.filter(search).length > 0) changed();
    }
    const seen = marks.map(({ candidate }) => visibleBox(candidate.element));
    const places = placeBadges(seen, { width: innerWidth, height: innerHeight });
    marks.forEach(({ box, badge }, index) => {
      const [around, place] = [seen[index], places[index]];
      box.hidden = !around;
      badge.hidden = !place;
      if (around) box.style.cssText = covering(around);
      if (place) badge.style.transform = `translate(${place.x}px,${place.y}px)`;
    });
    frame = requestAnimationFrame(follow);
  }
  return {
    element,
    candidates,
    show(isShown) {
      cancelAnimationFrame(frame);
      element.hidden = !isShown;
      if (isShown) frame = requestAnimationFrame(follow);
    },
    point(pointed) {
      for (const { candidate, box, badge } of marks) {
        box.classList.toggle('pointed', candidate === pointed);
        badge.classList.toggle('pointed', candidate === pointed);
      }
      const target = pointed?.element;
      if (!target || isFree(boxOf(target), card())) return;
      target.scrollIntoView({ block: 'center', inline: 'nearest' });
      if (!isFree(boxOf(target), card())) target.scrollIntoView({ block: 'start' });
    },
  };
}

function visibleBox(element: Element | null): Box | null {
  return element?.isConnected && isVisible(element) ? boxOf(element) : null;
}

/** In view, and not beneath the card. */
function isFree({ x, y, width, height }: Box, card: Box): boolean {
  const isInView = x >= 0 && y >= 0 && x + width <= innerWidth && y + height <= innerHeight;
  const isBeside = x >= card.x + card.width || x + width <= card.x || y + height <= card.y;
  return isInView && isBeside;
}

interface Size {
  width: number;
  height: number;
}

/** At the top left corner of each box, as far as that is in view, and beside the badges that are there already. */
export function placeBadges(
  boxes: (Box | null)[],
  view: Size,
): ({ x: number; y: number } | null)[] {
  const taken: { x: number; y: number }[] = [];
  return boxes.map((box) => {
    if (!box || box.x > view.width || box.y > view.height) return null;
    if (box.x + box.width < 0 || box.y + box.height < 0) return null;
    const fit = (value: number, room: number) => Math.max(0, Math.min(value, room - BADGE_PX));
    const place = {
      x: fit(box.x - BADGE_PX / 2, view.width),
      y: fit(box.y - BADGE_PX / 2, view.height),
    };
    const covers = (other: { x: number; y: number }) =>
      Math.abs(other.x - place.x) < BADGE_PX && Math.abs(other.y - place.y) < BADGE_PX;
    for (let other = taken.find(covers); other; other = taken.find(covers))
      place.x = other.x + BADGE_PX;
    taken.push(place);
    return place;
  });
}
