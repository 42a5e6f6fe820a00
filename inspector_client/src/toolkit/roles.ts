// Which role an element has: WAI-ARIA 1.2, HTML-AAM 1.0 and, for SVG, what browsers make of it.
import { GLOBAL_ATTRIBUTES, ROLES, SYNONYMS } from './aria';
import { referenced } from './tree';

type Rule = string | ((element: Element) => string);

const SVG = 'http://www.w3.org/2000/svg';
const SECTIONING = ['article', 'aside', 'main', 'nav', 'section']
  .concat(
    ['article', 'complementary', 'main', 'navigation', 'region'].map((role) => `[role=${role}]`),
  )
  .join();
const FOCUSABLE = 'a[href],area[href],button,input,select,textarea,summary,iframe,[tabindex]';

/** By `type`; what is not here is a text field. */
const INPUTS: Partial<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  color: 'Color',
  date: 'Date',
  'datetime-local': 'DateTime',
  file: 'File',
  hidden: 'none',
  image: 'button',
  month: 'Month',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  submit: 'button',
  time: 'Time',
  week: 'Week',
};

const RULES = new Map<string, Rule>(
  Object.entries({
    a: (element) => (element.hasAttribute('href') ? 'link' : 'generic'),
    address: 'group',
    area: (element) => (element.hasAttribute('href') ? 'link' : 'generic'),
    article: 'article',
    aside: (element) => landmarkUnlessNested(element, 'complementary'),
    audio: 'Audio',
    blockquote: 'blockquote',
    button: 'button',
    canvas: 'Canvas',
    caption: 'caption',
    code: 'code',
    dd: 'definition',
    del: 'deletion',
    details: 'group',
    dfn: 'term',
    dialog: 'dialog',
    dt: 'term',
    em: 'emphasis',
    embed: 'Embed',
    fieldset: 'group',
    figure: 'figure',
    footer: (element) => scoped(element, 'contentinfo'),
    form: 'form',
    frame: 'Iframe',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    header: (element) => scoped(element, 'banner'),
    hgroup: 'group',
    hr: 'separator',
    iframe: 'Iframe',
    img: imageRole,
    input: inputRole,
    ins: 'insertion',
    label: 'LabelText',
    li: itemRole,
    main: 'main',
    mark: 'mark',
    math: 'math',
    menu: 'list',
    meter: 'meter',
    nav: 'navigation',
    object: 'Embed',
    ol: 'list',
    optgroup: 'group',
    option: 'option',
    output: 'status',
    p: 'paragraph',
    progress: 'progressbar',
    s: 'deletion',
    search: 'search',
    section: (element) => (hasLabel(element) ? 'region' : 'generic'),
    select: selectRole,
    strong: 'strong',
    sub: 'subscript',
    summary: (element) => (isSummary(element) ? 'button' : 'generic'),
    sup: 'superscript',
    table: 'table',
    tbody: (element) => inTable(element, 'rowgroup'),
    td: cellRole,
    textarea: 'textbox',
    tfoot: (element) => inTable(element, 'rowgroup'),
    th: headerRole,
    thead: (element) => inTable(element, 'rowgroup'),
    time: 'time',
    tr: (element) => inTable(element, 'row'),
    ul: 'list',
    video: 'Video',
  } satisfies Record<string, Rule>),
);

/** An ARIA role; capitalised where ARIA has none (`Iframe`, `Date`); `generic` and `none` for what has no meaning. */
export function roleOf(element: Element): string {
  const roles = element.getAttribute('role');
  return (roles && authorRole(element, roles)) || nativeRole(element);
}

function authorRole(element: Element, roles: string): string | undefined {
  for (const word of roles.toLowerCase().split(/\s+/)) {
    if (!ROLES.has(word)) continue;
    const role = SYNONYMS[word] ?? word;
    if (role === 'none') return isEloquent(element) ? undefined : role;
    if ((role === 'region' || role === 'form') && !hasLabel(element)) continue;
    return role;
  }
  return undefined;
}

function nativeRole(element: Element): string {
  if (element.namespaceURI === SVG) return drawingRole(element);
  const rule = RULES.get(element.localName) ?? 'generic';
  return typeof rule === 'string' ? rule : rule(element);
}

/** What can be focused, or says something to assistive technology, cannot be without a role. */
function isEloquent(element: Element): boolean {
  const { disabled } = element as HTMLInputElement;
  return (element.matches(FOCUSABLE) && !disabled) || element.matches(GLOBAL_ATTRIBUTES);
}

/** True if the author has given it a name by an attribute. */
function hasLabel(element: Element): boolean {
  return Boolean(
    element.getAttribute('aria-label')?.trim() ||
      element.getAttribute('title')?.trim() ||
      referenced(element, 'aria-labelledby').length,
  );
}

function scoped(element: Element, role: string): string {
  return element.parentElement?.closest(SECTIONING) ? 'generic' : role;
}

function landmarkUnlessNested(element: Element, role: string): string {
  const nested = element.parentElement?.closest('article,aside,nav,section');
  return nested && !hasLabel(element) ? 'generic' : role;
}

function drawingRole(element: Element): string {
  const { localName } = element;
  if (localName === 'a') {
    return element.hasAttribute('href') || element.hasAttribute('xlink:href') ? 'link' : 'generic';
  }
  const pictured = localName === 'image' || hasLabel(element);
  return pictured || element.querySelector(':scope>title') ? 'img' : 'generic';
}

function imageRole(element: Element): string {
  return element.getAttribute('alt') === '' && !hasLabel(element) && !isEloquent(element)
    ? 'none'
    : 'img';
}

function inputRole(element: Element): string {
  const { type } = element as HTMLInputElement;
  const known = INPUTS[type];
  if (known) return known;
  if (element.hasAttribute('list') && type !== 'password') return 'combobox';
  return type === 'search' ? 'searchbox' : 'textbox';
}

function selectRole(element: Element): string {
  const { multiple, size } = element as HTMLSelectElement;
  return multiple || size > 1 ? 'listbox' : 'combobox';
}

function itemRole(element: Element): string {
  const list = element.parentElement;
  if (!list?.matches('ul,ol,menu'))
    return list?.getAttribute('role') === 'list' ? 'listitem' : 'generic';
  const role = roleOf(list);
  if (role === 'list') return 'listitem';
  return role === 'none' ? 'none' : 'generic';
}

function isSummary(element: Element): boolean {
  const details = element.parentElement;
  return details?.localName === 'details' && details.querySelector(':scope>summary') === element;
}

/** Tables whose role says that they are none take the meaning from their parts. */
function inTable(element: Element, role: string): string {
  const table = element.closest('table');
  if (!table) return 'generic';
  const given = table.getAttribute('role');
  if (!given) return role;
  const actual = roleOf(table);
  if (actual === 'table' || actual === 'grid' || actual === 'treegrid') return role;
  return actual === 'none' ? 'none' : 'generic';
}

function cellRole(element: Element): string {
  const role = inTable(element, 'cell');
  const grid = role === 'cell' && /grid/.test(element.closest('table')?.getAttribute('role') ?? '');
  return grid ? 'gridcell' : role;
}

function headerRole(element: Element): string {
  const { scope } = element as HTMLTableCellElement;
  if (/^row/.test(scope)) return inTable(element, 'rowheader');
  const beside = [element.previousElementSibling, element.nextElementSibling];
  const heads = !scope && beside.some((cell) => cell?.localName === 'td');
  return inTable(element, heads ? 'rowheader' : 'columnheader');
}
