import { clip } from '../basics';
import { unknownPlace } from '../details';
import type { ElementContext, ElementInfo, SourceInfo, SourceLocation } from '../protocol';
import { roleOf } from './a11y';
import { boxOf } from './deep';
import { attributesOf, htmlOf } from './html';
import { redactUrl } from './redact';
import { idOf } from './registry';
import { selectorOf } from './selector';
import { computedStylesOf, inlineStylesOf } from './styles';
import { titleOf, wordsOf } from './wording';

const CLASS_CHARS = 500;

function infoOf(element: Element): ElementInfo {
  return {
    tagName: element.localName,
    textContent: wordsOf(element),
    className: clip(element.getAttribute('class') ?? '', CLASS_CHARS),
    id: element.id,
    role: roleOf(element),
    name: titleOf(element),
    attributes: attributesOf(element),
    html: htmlOf(element),
    styles: inlineStylesOf(element),
    boundingBox: rounded(element),
    computedStyles: computedStylesOf(element),
  };
}

function rounded(element: Element): ElementInfo['boundingBox'] {
  const { x, y, width, height } = boxOf(element);
  const round = (value: number) => Math.round(value * 100) / 100;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

/** What the page shows of an element at this moment: a menu may be gone when its place is there. */
export function seenOf(element: Element): ElementContext {
  return {
    sourceInfo: { ...unknownPlace(), elementInfo: infoOf(element) },
    elementId: idOf(element),
    selector: selectorOf(element),
    url: redactUrl(location.href),
    title: document.title,
  };
}

/** Where it comes from, as soon as that is known. */
export function assignPlace(info: SourceInfo, found: SourceLocation): void {
  const { elementInfo } = info;
  if (!found.reason) Reflect.deleteProperty(info, 'reason');
  Object.assign(info, found, { elementInfo });
}

/** All that an agent gets to know of an element. */
export async function contextOf(
  element: Element,
  locate: (element: Element) => Promise<SourceLocation>,
): Promise<ElementContext> {
  const seen = seenOf(element);
  assignPlace(seen.sourceInfo, await locate(element));
  return seen;
}
