// How an inspection stands with the user: what still needs him, in which order, under which number.
import type { InspectionItem } from '../protocol';

type Standing = Pick<InspectionItem, 'status' | 'updated' | 'accepted'>;
type Numbered = Pick<InspectionItem, 'id' | 'timestamp' | 'number'>;
type Placed = Pick<InspectionItem, 'id' | 'timestamp' | 'order'>;

/** What was completed so long ago nobody will look at any more. */
const OLD_MS = 24 * 3600 * 1000;
const STEP = 1;

/** He is done with it: he has accepted it, or has let it be for a day. */
export function isFinished({ accepted, status, updated }: Standing, now = Date.now()): boolean {
  return accepted !== undefined || (status === 'completed' && updated < now - OLD_MS);
}

/** Its agent has ended it: the user accepts or reopens. */
export function isEnded({ status }: Pick<InspectionItem, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

/** As the companion gave them; what it has not heard of yet comes after, by age. */
export function numbersOf(items: Numbered[]): Map<string, number> {
  const left = items.filter(({ number }) => !number);
  left.sort((a, b) => a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1));
  const last = Math.max(0, ...items.map(({ number = 0 }) => number));
  const later = new Map(left.map(({ id }, index) => [id, last + index + 1]));
  return new Map(items.map(({ id, number }) => [id, number ?? later.get(id) ?? 0]));
}

const placeOf = ({ order, timestamp }: Placed) => order ?? timestamp;

/** The new `order` of each that needs one so that `id` comes to stand at `to` in the list, counted without it. */
export function placesAfterMove(list: Placed[], id: string, to: number): [string, number][] {
  const others = list.filter((item) => item.id !== id);
  const [before, after] = [others[to - 1], others[to]];
  if (!after) return before ? [[id, placeOf(before) + STEP]] : [];
  const high = placeOf(after);
  if (!before) return [[id, high - STEP]];
  const middle = (placeOf(before) + high) / 2;
  if (middle > placeOf(before) && middle < high) return [[id, middle]];
  // No number lies between: all before make room.
  const ids = [...others.slice(0, to).map((item) => item.id), id];
  return ids.map((one, index) => [one, high - (ids.length - index) * STEP]);
}

/** The page that an inspection is about is the one that is shown. */
export function isHere(url: string, { href }: Pick<Location, 'href'> = location): boolean {
  return pageOf(url) === pageOf(href);
}

/** Asked for every inspection whenever one changes, and a queue is about few pages. */
const pages = new Map<string, string>();
const MOST_PAGES = 500;

function pageOf(url: string): string {
  if (pages.size > MOST_PAGES) pages.clear();
  const page = pages.get(url) ?? pathOf(url);
  pages.set(url, page);
  return page;
}

/** Its path; of a page whose router lives in the fragment, that too. */
function pathOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { pathname, hash } = new URL(url);
  return pathname + (hash.startsWith('#/') ? hash : '');
}
