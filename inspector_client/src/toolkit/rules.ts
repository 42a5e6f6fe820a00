// Which elements get lines of their own, and what of their contents is told.
import type { Reach } from './actions';
import { LANDMARKS, LEAVES } from './aria';
import { type Item, isPlain } from './items';
import type { Naming } from './names';
import { innerDocument, presenceOf } from './tree';

export const NAME_LIMIT = 200;

/** No lines of their own: what is in them says all. */
const PASSED = new Set(
  `caption code deletion emphasis generic insertion LabelText mark none paragraph rowgroup strong
  subscript superscript time`.split(/\s+/),
);
const PASSED_UNNAMED = new Set(['document', 'figure', 'form', 'group']);
/** Named by what is in them, but that follows line by line anyway. */
const SPELT_OUT = new Set(['cell', 'columnheader', 'gridcell', 'row', 'rowheader', 'treeitem']);
/** They begin with the text that says what they are. */
const HEADED = new Set([...SPELT_OUT, 'definition', 'listitem', 'term']);
/** What is in them is not what they are called. */
const SPACES = new Set([...LANDMARKS, 'alertdialog', 'article', 'dialog', 'Iframe', 'tabpanel']);
/** Frames around one thing. */
const SINGLE = new Set(['cell', 'gridcell', 'listitem']);
/** What is between their tags is for browsers that do not know them, or is their value. */
const CLOSED = new Set(
  `audio canvas embed iframe input meter object progress textarea video`.split(' '),
);
const MARKS = /^[\s.,;:|·•()]+$/;

/** True if nothing is lost without a line for the element. */
export function isPassed(role: string, reach: Reach, isLeaf: boolean): boolean | 'unnamed' {
  if (reach) return false;
  if (isLeaf || PASSED.has(role)) return true;
  return PASSED_UNNAMED.has(role) && 'unnamed';
}

export const isClosed = (element: Element): boolean => CLOSED.has(element.localName);

export const isForeign = (element: Element, role: string): boolean =>
  role === 'Iframe' && !innerDocument(element);

export const isModal = (element: Element): boolean =>
  element.localName === 'dialog' && element.matches(':modal');

/** False if its contents follow anyway, so that they need not be in the name. */
export const isNamedByContent = (role: string): boolean => !SPELT_OUT.has(role);

/** All that is read in it is in its name, or is its value. */
export function holdsNothingElse(element: Element, role: string, naming: Naming): boolean {
  if (LEAVES.has(role) || role === 'textbox' || role === 'searchbox') return true;
  if (role === 'combobox') return element.localName !== 'select';
  return role === 'link' && naming.from === 'content' && naming.name.length <= NAME_LIMIT;
}

/** A label whose control is hidden: it is what people click. */
export function isLoneLabel(label: Element): boolean {
  const { control } = label as HTMLLabelElement;
  return !!control && presenceOf(control) !== 'shown';
}

/** A label that its control is named by. */
export function isToldByControl(label: Element): boolean {
  const { control } = label as HTMLLabelElement;
  return !!control && !control.matches('[aria-label],[aria-labelledby]') && !isLoneLabel(label);
}

/** Icons: nothing in them can be read or operated. */
export function isBareDrawing(element: Element): boolean {
  if (element.localName !== 'svg') return false;
  return !element.querySelector('text,a,foreignObject,title,[role],[tabindex]');
}

/** The item as it is told: without what its name says already, and in as few lines as can be. */
export function settled(item: Item, naming: Naming): Item[] {
  const children = item.children.filter((child) => !repeats(child, naming));
  const telling = children.length > 1 ? children.filter((child) => !isMark(child)) : children;
  const whole = lifted({ ...item, children: telling });
  return isFrame(whole) ? whole.children : [whole];
}

/** Text that the name has already. */
function repeats(child: Item, { name, from }: Naming): boolean {
  if (!isPlain(child) || !name) return false;
  return from === 'content' ? name.includes(child.name) : name === child.name;
}

const isMark = (item: Item): boolean => isPlain(item) && MARKS.test(item.name);

/** `listitem` with one text in it is one line. */
function lifted(item: Item): Item {
  const [first, ...others] = item.children;
  if (item.name || !first || !isPlain(first) || SPACES.has(item.role)) return item;
  const isHead = HEADED.has(item.role) || !others.length;
  return isHead ? { ...item, name: first.name, children: others } : item;
}

/** What is in it says all. */
function isFrame({ role, name, states, children, acts, element }: Item): boolean {
  if (role === 'list') return !name && children.every((child) => child.role !== 'listitem');
  const [only, ...others] = children;
  if (name || others.length || !only?.acts) return false;
  if (SINGLE.has(role)) return !states.length;
  return acts && states.join() === 'clickable' && !element?.hasAttribute('role');
}
