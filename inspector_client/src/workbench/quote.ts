import { innerRoot, placedIn } from '../element/deep';
import { scrub } from '../element/redact';
import type { PickedText } from '../picking';
import type { Box, TextQuote } from '../protocol';

const EXACT_CHARS = 1000;
const AROUND_CHARS = 64;

/** A selected text as it is picked: the element around it, where it stands, and its words. */
export function textOf(range: Range): PickedText {
  return {
    mode: 'text',
    element: aroundOf(range),
    box: boxesOf(range)[0] as Box,
    quote: quoteOf(range),
  };
}

/** The words of a range, and what stands before and after them in the same element, as a reader sees them. */
export function quoteOf(range: Range): TextQuote {
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const around = aroundOf(range);
  const before = range.cloneRange();
  before.selectNodeContents(around);
  before.setEnd(startContainer, startOffset);
  const after = range.cloneRange();
  after.selectNodeContents(around);
  after.setStart(endContainer, endOffset);
  const words = (part: Range) => scrub(part.toString().replace(/\s+/g, ' '), around);
  return {
    exact: words(range).trim().slice(0, EXACT_CHARS),
    prefix: words(before).trimStart().slice(-AROUND_CHARS),
    suffix: words(after).trimEnd().slice(0, AROUND_CHARS),
  };
}

/** In CSS px of the top page's viewport: the box around all, then one for each line or part of it. */
export function boxesOf(range: Range): Box[] {
  const owner = range.startContainer.ownerDocument ?? document;
  const rects = [range.getBoundingClientRect(), ...range.getClientRects()];
  return rects.filter(({ width }) => width > 0).map((rect) => placedIn(owner, rect));
}

function aroundOf({ commonAncestorContainer: common }: Range): Element {
  const element = common.nodeType === 1 ? (common as Element) : common.parentElement;
  return element ?? document.body;
}

/** What the user has selected in the page, in a shadow root, or in a frame of its origin; null: nothing. */
export function selectedRange(): Range | null {
  let root: Document | ShadowRoot = document;
  for (let at = root.activeElement; at && innerRoot(at); at = root.activeElement)
    root = innerRoot(at) as Document | ShadowRoot;
  return rangeIn(root) ?? rangeIn(document);
}

function rangeIn(root: Document | ShadowRoot): Range | null {
  // Chromium has it for shadow roots as well.
  const selection = (root as Document).getSelection?.();
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
  return range && !range.collapsed && range.toString().trim() ? range.cloneRange() : null;
}
