// The text of a page: the article if it is one, else all that one sees.
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { OVERLAY_TAG } from '../element/deep';
import { plainText } from './plain-text';
import { eachChild, innerDocument, isBlock, isUnseen, presenceOf } from './tree';
import { REDACTED } from './values';

export interface Read {
  isArticle: boolean;
  title: string;
  /** Who wrote it, where it appeared; '' where the page does not say. */
  byline: string;
  lines: string[];
}

const MAX_ELEMENTS = 50_000;
/** What stands in them is a value, or a choice, and told by snapshots. */
const FIELDS = /^(select|textarea)$/;
const BLOCK =
  /^(address|article|aside|blockquote|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|section|summary|table|tbody|tfoot|thead|tr|ul)$/;

export default function read(): Read {
  return article() ?? whole();
}

function article(): Read | null {
  const visibilityChecker = (node: Node): boolean => (node as Element).checkVisibility();
  if (!isProbablyReaderable(document, { visibilityChecker })) return null;
  const found = new Readability<Node>(copyOfShown(), {
    maxElemsToParse: MAX_ELEMENTS,
    serializer: (node) => node,
  }).parse();
  if (!found?.content) return null;
  const lines = plainText(found.content as Element, {
    children: (element, visit) => element.childNodes.forEach(visit),
    isBlock: ({ localName }) => BLOCK.test(localName),
    isSkipped: isUnseen,
  });
  const byline = [found.byline, found.siteName, found.publishedTime].filter(Boolean).join(', ');
  return lines.length
    ? { isArticle: true, title: found.title || document.title, byline, lines }
    : null;
}

/** A copy, because reading an article takes it apart; without what is hidden, and without secrets. */
function copyOfShown(): Document {
  const copy = document.cloneNode(true) as Document;
  const originals = document.body.querySelectorAll('*');
  const copies = [...(copy.body?.querySelectorAll('*') ?? [])];
  originals.forEach((original, index) => {
    const twin = copies[index];
    if (original.localName === OVERLAY_TAG || presenceOf(original) === 'gone') twin?.remove();
    else if (original.hasAttribute('data-private') && twin) twin.textContent = REDACTED;
  });
  return copy;
}

function whole(): Read {
  const lines = document.body
    ? plainText(document.body, {
        children(element, visit) {
          const inner = innerDocument(element);
          if (inner?.body) visit(inner.body);
          else eachChild(element, visit);
        },
        isBlock,
        isSkipped: (element) =>
          isUnseen(element) || FIELDS.test(element.localName) || presenceOf(element) !== 'shown',
      })
    : [];
  return { isArticle: false, title: document.title, byline: '', lines };
}
