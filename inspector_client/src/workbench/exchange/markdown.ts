// An inspection as text that one can paste to whoever is to do it: pure.
import type { InspectionItem, SourceInfo } from '../../protocol';

const TEXT_CHARS = 200;
/** Of the computed styles, those that most changes are about; without the values that say nothing. */
const STYLES =
  'display position color backgroundColor fontSize fontWeight fontFamily lineHeight textAlign padding margin gap border borderRadius boxShadow opacity';
const NOTHING = /^(|none|normal|auto|static|0px|start|rgba\(0, 0, 0, 0\)|0px none .*)$/;

const oneLine = (text: unknown): string =>
  String(text ?? '')
    .replace(/\s+/g, ' ')
    .trim();

/** Verbatim, whatever backticks it has. */
function code(text: unknown): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Words of a page in a title: what Markdown or HTML would take for its own is escaped. */
const plain = (text: unknown): string => oneLine(text).replace(/[\\`*_[\]<>#|~]/g, '\\$&');

const quoted = (text: string): string => text.replace(/^/gm, '> ');

function placeOf({ file, line, column }: Partial<SourceInfo>): string {
  return file ? [file, line, column].filter(Boolean).join(':') : '';
}

function stylesOf({ computedStyles = {} }: Partial<SourceInfo['elementInfo']>): string {
  const all: Record<string, unknown> = Object.assign({}, ...Object.values(computedStyles));
  const names = STYLES.split(' ').filter((name) => !NOTHING.test(oneLine(all[name])));
  const dashed = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return names.map((name) => `${dashed(name)}: ${oneLine(all[name])}`).join('; ');
}

function sketchOf({ sketch }: Pick<InspectionItem, 'sketch'>): string {
  const shapes = (sketch?.shapes ?? []).map(({ kind, points }) => {
    const [first, last] = [points[0], points.at(-1)];
    return kind === 'pen' ? `pen at ${first}` : `${kind} from ${first} to ${last}`;
  });
  return shapes.length ? `${shapes.join(' · ')} (px from the element's upper left corner)` : '';
}

/** One inspection: what is wanted, where it is in the source and on the page, and how it looks. */
export function markdownOf(item: InspectionItem): string {
  const { description, intent, severity, area, quote } = item;
  // Only what a page made is sure to have it all.
  const { elementInfo, component, ...place }: Partial<SourceInfo> = item.sourceInfo;
  const { tagName, boundingBox: box, textContent = '' } = elementInfo ?? {};
  const where = placeOf(place);
  const name = [component, where].filter(Boolean).map(plain).join(' · ');
  const text = oneLine(textContent).slice(0, TEXT_CHARS);
  const size = box && `${Math.round(box.width)} × ${Math.round(box.height)} px`;
  const facts: [string, string | undefined | false][] = [
    ['Wanted', [intent, severity && `${severity} severity`].filter(Boolean).join(', ')],
    ['Source', where && code(where)],
    ['Component', component && code(component)],
    ['Selector', item.selector && code(item.selector)],
    ['Page', item.url && code(item.url)],
    ['Selected text', quote?.exact && code(quote.exact)],
    ['Text', text && code(text)],
    ['Area', area && `${area.total} elements`],
    ['Size', size],
    ['Styles', elementInfo && code(stylesOf(elementInfo))],
    ['Sketch', sketchOf(item)],
  ];
  const lines = facts.flatMap(([fact, value]) =>
    value && value !== '``' ? [`- ${fact}: ${value}`] : [],
  );
  const note = description.trim();
  const parts = [`### \\<${plain(tagName ?? '?')}\\> ${name}`.trim(), note && quoted(note)];
  return [...parts, lines.join('\n')].filter(Boolean).join('\n\n');
}

/** Several, one below the other. */
export function markdownOfAll(items: InspectionItem[]): string {
  return items.map(markdownOf).join('\n\n---\n\n');
}
