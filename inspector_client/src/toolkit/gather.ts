// Everything on the page that somebody could mean by a few words: what it is, what it says, where it is.
import { boxOf, parentOf } from '../element/deep';
import { collapsed } from '../element/redact';
import { findByText } from './find';
import { type Item, isPlain } from './items';
import { roleOf } from './roles';
import type { Uids } from './uids';
import { isPrivate } from './values';
import { walk } from './walk';

export interface Candidate {
  uid: string;
  tag: string;
  role: string;
  /** What it is called. */
  name: string;
  /** Placeholder, title and other words for people. */
  label: string;
  /** What is written in it, if that is not its name. */
  text: string;
  /** Words of its author for programs: ids, classes, names of icons. */
  hints: string;
  /** What stands beside it, in the same card, row or dialog. */
  around: string;
  acts: boolean;
  disabled: boolean;
  /** CSS px of the top viewport: x, y, width, height. */
  box: [number, number, number, number];
  inView: boolean;
}

const NAME_LIMIT = 200;
const TEXT_LIMIT = 160;
const HINTS_LIMIT = 200;
const LABELS = ['placeholder', 'title', 'alt', 'aria-placeholder', 'aria-description'];
const HINTS = 'id name class type autocomplete inputmode data-testid data-test data-icon'.split(
  ' ',
);
const ICONS = 'svg,use,img,i,[class*=icon]';
const MAX_ICONS = 4;
const AROUND_LIMIT = 240;
const CLEARLY_MORE = 12;
const MAX_LEVELS = 6;
const NAMED = 'dialog,[role=dialog],[role=region],form,fieldset,nav,section';

export function createGather(uids: Uids) {
  const texts = new WeakMap<Element, string | null>();

  /** Null for what says too much to tell one thing from others. */
  function shortText(element: Element): string | null {
    const known = texts.get(element);
    if (known !== undefined) return known;
    const { textContent } = element;
    const text = textContent.length > 2 * AROUND_LIMIT ? null : collapsed(textContent);
    const short = text !== null && text.length <= AROUND_LIMIT ? text : null;
    texts.set(element, short);
    return short;
  }

  /** The text of the smallest thing that says clearly more than the element itself. */
  function around(element: Element): string {
    const own = (shortText(element)?.length ?? 0) + CLEARLY_MORE;
    let text: string | null = '';
    let outer = parentOf(element);
    for (let level = 0; outer && level < MAX_LEVELS; level += 1) {
      text = shortText(outer);
      if (text === null || text.length >= own) break;
      outer = parentOf(outer);
    }
    const named = element.closest(NAMED);
    return `${named?.getAttribute('aria-label') ?? ''} ${text ?? ''}`.trim();
  }

  function told(element: Element, role: string, name: string, text: string, acts: boolean) {
    const { x, y, width, height } = boxOf(element);
    const candidate: Candidate = {
      uid: uids.uid(element),
      tag: element.localName,
      role,
      name: name.slice(0, NAME_LIMIT),
      label: LABELS.map((label) => collapsed(element.getAttribute(label)))
        .filter((label) => label && label !== name)
        .join(' ')
        .slice(0, NAME_LIMIT),
      text: text.slice(0, TEXT_LIMIT),
      hints: acts || isDrawn(role) ? hintsOf(element) : '',
      around: acts ? around(element) : '',
      acts,
      disabled: element.matches(':disabled,[aria-disabled=true]'),
      box: [x, y, width, height].map(Math.round) as Candidate['box'],
      inView: x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0,
    };
    return candidate;
  }

  /** At most `limit` of them in the order of the page, of more than that those that act; then the element with the very words of `query`. */
  return {
    gather(query: string, limit: number): Candidate[] {
      const items: Item[] = [];
      flatten(walk(document, { root: null, verbose: false }), items);
      const kept = items.length > limit ? [...items].sort(actsFirst).slice(0, limit) : items;
      const found = kept.map((item) =>
        told(item.element as Element, item.role, item.name, textOf(item), item.acts),
      );
      const saying = findByText(query);
      if (saying && !isPrivate(saying) && kept.every(({ element }) => element !== saying)) {
        found.push(told(saying, roleOf(saying), '', collapsed(saying.textContent), false));
      }
      return found;
    },
  };
}

function flatten(items: readonly Item[], into: Item[]): void {
  for (const item of items) {
    if (isPlain(item)) continue;
    into.push(item);
    flatten(item.children, into);
  }
}

const actsFirst = (one: Item, other: Item): number => Number(other.acts) - Number(one.acts);

const isDrawn = (role: string): boolean => role === 'img' || role === 'image';

const textOf = (item: Item): string =>
  item.children
    .filter(isPlain)
    .map(({ name }) => name)
    .join(' ');

function hintsOf(element: Element): string {
  const icons = [...element.querySelectorAll(ICONS)].slice(0, MAX_ICONS);
  return [element, ...icons]
    .flatMap((part) => [...HINTS, 'href'].map((name) => hint(part, name)))
    .filter(Boolean)
    .join(' ')
    .slice(0, HINTS_LIMIT);
}

/** Of an address only where it leads to, which may be a place in the page. */
function hint(element: Element, name: string): string {
  const value = element.getAttribute(name) ?? '';
  return name === 'href' ? (value.split('?')[0] ?? '').split('/').slice(-2).join(' ') : value;
}
