// Of all lines those that can be acted on, and so many of the others that one knows where they are.
import { LANDMARKS } from './aria';
import { type Item, isPlain } from './items';

const PLACES = new Set([
  ...LANDMARKS,
  ...`alertdialog application article dialog figure grid group Iframe listbox menu menubar radiogroup
  table tablist tabpanel toolbar tree treegrid`.split(/\s+/),
]);
/** One of many alike: only the text in it tells which. */
const ENTRIES = new Set(['listitem', 'row']);
const SUMMARY_LIMIT = 80;

export function interactiveOnly(items: readonly Item[]): Item[] {
  return withoutIdleHeadings(items.flatMap(kept));
}

function kept(item: Item): Item[] {
  if (isPlain(item)) return [];
  const children = interactiveOnly(item.children);
  if (item.acts || item.isForeign || item.role === 'heading') return [{ ...item, children }];
  if (!children.length) return [];
  if (PLACES.has(item.role)) return [{ ...item, children }];
  const summary = ENTRIES.has(item.role) && (item.name || summaryOf(item));
  return summary ? [{ ...item, name: summary, children }] : children;
}

/** A heading stays if something follows it that belongs to it. */
function withoutIdleHeadings(items: Item[]): Item[] {
  const stays: Item[] = [];
  let reach = 0;
  for (const item of items.toReversed()) {
    const level = item.role === 'heading' && !item.acts && !item.children.length && levelOf(item);
    if (level === false) {
      reach = Infinity;
      stays.push(item);
    } else if (reach > level) {
      reach = level;
      stays.push(item);
    }
  }
  return stays.reverse();
}

function levelOf({ states }: Item): number {
  const level = states.find((state) => state.startsWith('level='));
  return level ? Number(level.slice('level='.length)) : 2;
}

function summaryOf(item: Item): string {
  const texts: string[] = [];
  const collect = (inner: Item): void => {
    if (inner.acts) return;
    if (inner.name) texts.push(inner.name);
    inner.children.forEach(collect);
  };
  item.children.forEach(collect);
  const text = texts.join(' ');
  return text.length > SUMMARY_LIMIT ? `${text.slice(0, SUMMARY_LIMIT - 1)}…` : text;
}
