import {
  type AreaContext,
  type Box,
  type ElementContext,
  limits,
  type PickedArea,
  type SourceLocation,
} from '../protocol';
import { assignPlace, seenOf } from './context';
import { boxOf, childrenOf, isVisible, parentOf } from './deep';
import { elementAt } from './hit';
import { redactUrl } from './redact';
import { selectorOf } from './selector';

const TOLERANCE_PX = 2;

/** All visible elements in and below `top`, outermost first. */
export function elementsOf(top: Element, host: Element): Element[] {
  const all = [top];
  // Grows while it is walked: level by level.
  for (const element of all) all.push(...childrenOf(element).filter((child) => child !== host));
  return all.filter(isVisible);
}

/** The elements that lie wholly in the bounds; when there is none, the one in their middle. */
export function elementsIn(bounds: Box, host: Element): Element[] {
  const { x, y, width, height } = bounds;
  const found = elementsOf(document.body, host).filter((element) => {
    const box = boxOf(element);
    return (
      box.x + TOLERANCE_PX >= x &&
      box.y + TOLERANCE_PX >= y &&
      box.x + box.width <= x + width + TOLERANCE_PX &&
      box.y + box.height <= y + height + TOLERANCE_PX
    );
  });
  return found.length > 0 ? found : [elementAt(x + width / 2, y + height / 2, host)];
}

/** The innermost element around all of these. */
export function commonContainer(elements: Element[]): Element {
  const [first = [], ...rest] = elements.map((element) => {
    const chain: Element[] = [];
    for (let at: Element | null = element; at; at = parentOf(at)) chain.unshift(at);
    return chain;
  });
  const common = first.findLast((element, depth) =>
    rest.every((chain) => chain[depth] === element),
  );
  return common ?? document.documentElement;
}

/** `told` gets it at once, and again with each place that is found: some may take for ever. */
export async function areaContextOf(
  bounds: Box,
  elements: Element[],
  container: Element | null,
  locate: (element: Element) => Promise<SourceLocation>,
  told?: (area: AreaContext) => void,
): Promise<AreaContext> {
  const described = elements.slice(0, limits.areaElements);
  const area: AreaContext = {
    bounds,
    ...(container && { container: selectorOf(container) }),
    elements: described.map(seenOf),
    total: elements.length,
    url: redactUrl(location.href),
    title: document.title,
  };
  told?.(area);
  const add = async ({ sourceInfo }: ElementContext, index: number) => {
    assignPlace(sourceInfo, await locate(described[index] as Element));
    told?.(area);
  };
  await Promise.all(area.elements.map(add));
  return area;
}

/** As an inspection keeps it: which elements, and where they come from. */
export function areaOf({ bounds, total, elements }: AreaContext): PickedArea {
  const named = elements.map(({ selector, sourceInfo }) => {
    const { file, line, column, component, elementInfo } = sourceInfo;
    return { selector, file, line, column, component, tag: elementInfo.tagName };
  });
  return { bounds, total, elements: named };
}
