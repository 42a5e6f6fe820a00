import { collapsed } from './redact';

// Role and name as assistive technology gets them: ARIA in HTML and the accessible name computation, kept small,
// so without what CSS adds.

/** One role per line, and the elements that have it by themselves; the first fit counts. */
const ROLES = `link a[href],area[href]
button button,summary,[type=button],[type=submit],[type=reset],[type=image]
heading h1,h2,h3,h4,h5,h6
checkbox [type=checkbox]
radio [type=radio]
slider [type=range]
spinbutton [type=number]
searchbox [type=search]
listbox select[multiple],select[size]
combobox select,input[list]
textbox textarea,input:not([type]),[type=text],[type=email],[type=tel],[type=url]
presentation img[alt=""]
list ul,ol,menu
listitem li
navigation nav
region section[aria-label],section[aria-labelledby]
group fieldset,details
row tr
cell td
columnheader th`
  .split('\n')
  .map((line) => line.split(/ (.*)/));
const NAMESAKES = /^(article|dialog|figure|form|img|main|meter|option|table)$/;
const NAMED_BY_CONTENT =
  /^(button|cell|checkbox|\w+header|heading|link|menuitem|option|radio|row|switch|tab|tooltip|treeitem)$/;

export function roleOf(element: Element): string | null {
  const fits = ([, selector = '']: string[]) => element.matches(selector);
  const explicit = element.getAttribute('role')?.trim().split(/\s+/)[0];
  const [namesake] = NAMESAKES.exec(element.localName) ?? [];
  return explicit || (ROLES.find(fits)?.[0] ?? namesake ?? null);
}

export function nameOf(element: Element): string {
  const attribute = (name: string) => element.getAttribute(name) ?? '';
  const root = element.getRootNode() as Document;
  const { labels, type, value } = element as HTMLInputElement;
  const ids = attribute('aria-labelledby').split(/\s+/).filter(Boolean);
  const name =
    ids.map((id) => textOf(root.getElementById?.(id))).join(' ') ||
    attribute('aria-label') ||
    [...(labels ?? [])].map(textOf).join(' ') ||
    (/^(button|submit|reset)$/.test(type) && value) ||
    attribute('alt') ||
    textOf(element.querySelector(':scope>:is(legend,figcaption,caption)')) ||
    (NAMED_BY_CONTENT.test(roleOf(element) ?? '') && textOf(element)) ||
    attribute('title') ||
    attribute('placeholder');
  return collapsed(name);
}

/** The text inside; images count with their `alt`, fields and what is hidden do not count. */
function textOf(node: Node | null | undefined): string {
  if (node?.nodeType !== 1) return node?.nodeValue ?? '';
  const element = node as Element;
  if (element.matches('[aria-hidden=true],[hidden],script,style,select,textarea')) return '';
  const inside = () => [...element.childNodes].map(textOf).join('');
  const text = element.ariaLabel || element.getAttribute('alt') || inside();
  return element.matches('a,b,em,i,span,strong') ? text : ` ${text} `;
}
