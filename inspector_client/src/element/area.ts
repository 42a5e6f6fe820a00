import type { AreaContext, Box, SourceLocation } from '../protocol';
import { limits } from '../protocol';
import { contextOf } from './context';
import { boxOf, childrenOf, contains, isVisible, parentOf } from './deep';
import { elementAt } from './hit';
import { redactUrl } from './redact';
import { selectorOf } from './selector';

const TOLERANCE_PX = 2;
const IGNORED = ['script', 'style', 'link', 'meta', 'template', 'head', 'noscript', 'br'];

/** All elements below `top`, breadth first: outermost ones come first. */
function* outermostFirst(top: Element, host: Element): Generator<Element> {
  let level = [top];
  while (level.length > 0) {
    const next: Element[] = [];
    for (const element of level) {
      if (element === host || IGNORED.includes(element.localName)) continue;
      yield element;
      next.push(...childrenOf(element));
    }
    level = next;
  }
}

function liesIn(bounds: Box, box: Box): boolean {
  return (
    box.x >= bounds.x - TOLERANCE_PX &&
    box.y >= bounds.y - TOLERANCE_PX &&
    box.x + box.width <= bounds.x + bounds.width + TOLERANCE_PX &&
    box.y + box.height <= bounds.y + bounds.height + TOLERANCE_PX
  );
}

/** The elements that lie wholly in the bounds; when there is none, the one in their middle. */
export function elementsIn(bounds: Box, host: Element): Element[] {
  const found: Element[] = [];
  for (const element of outermostFirst(document.body, host))
    if (liesIn(bounds, boxOf(element)) && isVisible(element)) found.push(element);
  if (found.length > 0) return found;
  const middle = elementAt(bounds.x + bounds.width / 2, bounds.y + bounds.height / 2, host);
  return middle ? [middle] : [];
}

export function elementsOf(container: Element, host: Element): Element[] {
  return [...outermostFirst(container, host)].filter(
    (element) => element === container || isVisible(element),
  );
}

/** The innermost element around all of these. */
export function commonContainer(elements: Element[]): Element | null {
  const around = (element: Element) => {
    const chain: Element[] = [];
    for (let at: Element | null = element; at; at = parentOf(at)) chain.unshift(at);
    return chain;
  };
  const [first, ...rest] = elements.map(around);
  if (!first) return null;
  return (
    first.findLast((element, depth) => rest.every((chain) => chain[depth] === element)) ?? null
  );
}

export async function areaContextOf(
  bounds: Box,
  elements: Element[],
  container: Element | null,
  locate: (element: Element) => Promise<SourceLocation>,
): Promise<AreaContext> {
  const described = elements
    .slice(0, limits.areaElements)
    .map((element) => contextOf(element, locate));
  return {
    bounds,
    ...(container ? { container: selectorOf(container) } : {}),
    elements: await Promise.all(described),
    total: elements.length,
    url: redactUrl(location.href),
    title: document.title,
  };
}

export function isInside(bounds: Box, element: Element): boolean {
  const box = boxOf(element);
  return contains(bounds, box.x, box.y);
}
