// Finding an element by a selector or by the words that a person would use.
import { innerRoot, isShown, isVisible, OVERLAY_TAG } from '../element/deep';
import { firstMatch } from '../element/query';

const CLICKABLE = `a[href],button,summary,select,input,textarea,option,[onclick],[tabindex],[contenteditable],
  [role=button],[role=link],[role=tab],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=option],
  [role=checkbox],[role=radio],[role=switch],[role=combobox],[role=treeitem]`;
const UNSEEN = new Set(['script', 'style', 'noscript', 'template', OVERLAY_TAG]);
const CODE = [...UNSEEN].join();
const LABELS = ['aria-label', 'placeholder', 'title', 'alt'] as const;

export const findBySelector = (selector: string): Element | null => firstMatch(selector).element;

/** The visible element that says so: whole label before part of one, what can be clicked before what cannot. */
export const findByText = (text: string): Element | null => equallySaying(text)[0] ?? null;

/** How many others say so just as well. */
export const othersSaying = (text: string): number => Math.max(0, equallySaying(text).length - 1);

/** The best; equals in the order in which they are met. */
function equallySaying(text: string): Element[] {
  const wanted = normal(text);
  if (!wanted) return [];
  const scores = new Map<Element, number>();
  for (const candidate of candidates(document, wanted)) {
    scores.set(candidate, scoreOf(candidate, wanted));
  }
  const best = Math.max(Number.MIN_VALUE, ...scores.values());
  return [...scores.keys()].filter((element) => scores.get(element) === best);
}

function scoreOf(element: Element, wanted: string): number {
  if (!isVisible(element)) return 0;
  const labels = labelsOf(element);
  const label =
    labels.find((each) => each === wanted) ?? labels.find((each) => each.includes(wanted));
  if (label === undefined) return 0;
  const whole = label === wanted ? 4 : label.startsWith(wanted) ? 2 : 1;
  const clickable = element.matches(CLICKABLE) ? 2 : 0;
  return whole + clickable + 1 - Math.min(0.9, (label.length - wanted.length) / 1000);
}

function labelsOf(element: Element): string[] {
  const { type, value } = element as HTMLInputElement;
  const own = LABELS.map((name) => element.getAttribute(name));
  const isButton = element.localName === 'input' && /^(submit|button|reset)$/.test(type);
  const labels = (element as HTMLInputElement).labels ?? [];
  return [...own, isButton ? value : writtenIn(element), ...[...labels].map((l) => l.textContent)]
    .map(normal)
    .filter(Boolean);
}

/** Innermost elements with the text, what can be clicked around them, and those with it in an attribute. */
function* candidates(root: Document | ShadowRoot, wanted: string): Generator<Element> {
  const start = 'body' in root ? root.body : root;
  if (start) yield* saying(start, wanted);
  for (const element of root.querySelectorAll<HTMLInputElement>(
    '[aria-label],[placeholder],[title],[alt],input[type=submit],input[type=button],input[type=reset]',
  )) {
    if (labelsOf(element).some((label) => label.includes(wanted))) yield element;
  }
  for (const element of root.querySelectorAll('*')) {
    const inner = innerRoot(element);
    if (inner && isShown(element)) yield* candidates(inner, wanted);
  }
}

function* saying(root: Element | ShadowRoot, wanted: string): Generator<Element> {
  let isInChild = false;
  for (const child of root.children) {
    if (UNSEEN.has(child.localName) || !normal(writtenIn(child)).includes(wanted)) continue;
    isInChild = true;
    yield* saying(child, wanted);
  }
  if (isInChild || root.nodeType !== 1) return;
  const element = root as Element;
  if (!normal(writtenIn(element)).includes(wanted)) return;
  yield element;
  const around = element.closest(CLICKABLE);
  if (around && around !== element) yield around;
  const control = element.closest('label')?.control;
  if (control) yield control;
}

/** Its text for people. */
function writtenIn(element: Element): string {
  if (!element.querySelector(CODE)) return element.textContent;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, ({ parentElement }) =>
    parentElement?.closest(CODE) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const texts: string[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode.nodeValue ?? '');
  return texts.join('');
}

export const normal = (text: string | null): string =>
  (text ?? '').replace(/\s+/g, ' ').trim().toLowerCase();
