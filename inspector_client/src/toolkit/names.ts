// What an element is called: Accessible Name and Description Computation 1.2 with HTML-AAM 1.0, as far as pages use it.
import { collapsed } from '../element/redact';
import { NAMED_BY_CONTENT } from './aria';
import { createLabels } from './labels';
import { createNativeNames } from './native-names';
import { roleOf } from './roles';
import {
  eachChild,
  isBlock,
  isElement,
  isText,
  isUnseen,
  isWithheld,
  presenceOf,
  referenced,
} from './tree';
import { REDACTED, readValue } from './values';

/** Where a name comes from: `content` is what is seen in the element itself. */
export type NameSource = 'label' | 'native' | 'content' | 'title' | 'placeholder' | 'none';

export interface Naming {
  readonly name: string;
  readonly from: NameSource;
}

/** How far a text has been followed: every element counts once. */
export interface Trail {
  readonly seen: Set<Element>;
  /** What `aria-labelledby` names counts even if it is hidden. */
  readonly hidden: boolean;
  /** References are followed once, not from one to the next. */
  readonly referred: boolean;
}

export interface Names {
  naming(element: Element, role: string, byContent?: boolean): Naming;
  /** '' if there is none. */
  description(element: Element, naming: Naming): string;
}

const EMBEDDED = /^(combobox|listbox|progressbar|searchbox|slider|spinbutton|textbox)$/;
const UNNAMED: Naming = { name: '', from: 'none' };
const OWN_GLYPHS = /[\uE000-\uF8FF]+/g;

/** Names as of now: make a new one after the page has changed. */
export function createNames(): Names {
  const labels = createLabels();
  const native = createNativeNames(labels, inside);

  function naming(
    element: Element,
    role: string,
    byContent = isNamedByContent(element, role),
  ): Naming {
    const trail: Trail = { seen: new Set([element]), hidden: false, referred: false };
    const label = labelledBy(element, trail) || labelOf(element);
    if (label) return { name: label, from: 'label' };
    const own = native(element, trail);
    if (own) return { name: collapsed(own), from: 'native' };
    const content = byContent && plain(contentOf(element, trail));
    if (content) return { name: content, from: 'content' };
    return fallback(element);
  }

  function labelledBy(element: Element, trail: Trail): string {
    if (!element.hasAttribute('aria-labelledby')) return '';
    return textOfAll(referenced(element, 'aria-labelledby'), trail.seen);
  }

  function textOfAll(elements: Element[], seen?: Set<Element>): string {
    const texts = elements.map((one) => {
      const trail = { seen: new Set(seen), hidden: isOut(one), referred: true };
      trail.seen.delete(one);
      return alternative(one, trail);
    });
    return plain(texts.join(' '));
  }

  /** The text that stands for a node within the name of another. */
  function alternative(node: Node, trail: Trail): string {
    if (isText(node)) return node.data;
    if (node.nodeName === 'BR') return ' ';
    if (!isElement(node) || trail.seen.has(node) || isUnseen(node)) return '';
    if (isBranch(node) || (!trail.hidden && isOut(node))) return '';
    trail.seen.add(node);
    const text = (!trail.referred && labelledBy(node, trail)) || ownText(node, trail);
    return isBlock(node) ? ` ${text} ` : text;
  }

  function ownText(element: Element, trail: Trail): string {
    const role = roleOf(element);
    const label = labelOf(element);
    if (EMBEDDED.test(role)) return readValue(element, role) || label;
    if (label) return label;
    const own = native(element, trail);
    if (own) return own;
    return contentOf(element, trail) || (element.getAttribute('title') ?? '');
  }

  /** What one reads in it, without what is hidden. */
  function inside(element: Element, trail: Trail): string {
    let text = '';
    eachChild(element, (child) => {
      text += alternative(child, trail);
    });
    return text;
  }

  function contentOf(element: Element, trail: Trail): string {
    if (element.hasAttribute('data-private')) return REDACTED;
    const text =
      element.childElementCount || element.shadowRoot || element.localName === 'slot'
        ? inside(element, trail)
        : (element.textContent ?? '');
    return text.trim() ? text : drawnText(element);
  }

  function description(element: Element, { name, from }: Naming): string {
    const told =
      textOfAll(referenced(element, 'aria-describedby')) ||
      collapsed(element.getAttribute('aria-description')) ||
      (from === 'title' ? '' : collapsed(element.getAttribute('title')));
    return told === name ? '' : told;
  }

  return { naming, description };
}

const labelOf = (element: Element): string => collapsed(element.getAttribute('aria-label'));

const isOut = (element: Element): boolean => isWithheld(element) || presenceOf(element) !== 'shown';

/** Rows are, where they are what one moves through. */
const isNamedByContent = (element: Element, role: string): boolean =>
  NAMED_BY_CONTENT.has(role) ||
  (role === 'row' && element.closest('[role=grid],[role=treegrid]') !== null);

/** What hangs below an item of a tree has names of its own. */
const isBranch = (element: Element): boolean =>
  element.getAttribute('role') === 'group' &&
  element.parentElement?.getAttribute('role') === 'treeitem';

function fallback(element: Element): Naming {
  const title = collapsed(element.getAttribute('title'));
  if (title) return { name: title, from: 'title' };
  const hint = element.getAttribute('placeholder') ?? element.getAttribute('aria-placeholder');
  return hint === null ? UNNAMED : { name: collapsed(hint), from: 'placeholder' };
}

/** Icon fonts draw letters that nobody can read. */
export const plain = (text: string): string => collapsed(text.replace(OWN_GLYPHS, ''));

/** What style sheets write before and after: looked up only where there is nothing else to read. */
function drawnText(element: Element): string {
  return ['::before', '::after']
    .map((part) => written(getComputedStyle(element, part).content))
    .join(' ')
    .trim();
}

/** The strings of a `content` value; what follows a slash stands for all before it. */
export function written(content: string): string {
  const spoken = content.split(/\s\/\s/).at(-1) ?? '';
  const parts = spoken.match(/[\w-]+\([^)]*\)|"(?:[^"\\]|\\.)*"/g) ?? [];
  const strings = parts.filter((part) => part.startsWith('"'));
  return strings.map((text) => text.slice(1, -1).replace(/\\(.)/g, '$1')).join('');
}
