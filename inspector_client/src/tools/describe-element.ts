import type { Tool } from '../calls';
import { contextOf } from '../element/context';
import { isVisible, queryDeep } from '../element/deep';
import { ToolError } from '../failure';
import type { SourceLocation } from '../protocol';

export type Locate = (element: Element) => Promise<SourceLocation>;

export function createDescribeElement(locate: Locate): Tool {
  return async ({ selector }) => {
    const [element, matches] = findElement(selector);
    return { ...(await contextOf(element, locate)), ...(matches > 1 && { matches }) };
  };
}

/** The first visible match, else the first; and how many there are. */
export function findElement(selector: unknown): [Element, number] {
  const text = String(selector);
  const found = queryDeep(text);
  const element = found.find(isVisible) ?? found[0];
  if (element) return [element, found.length];
  throw new ToolError('ELEMENT_NOT_FOUND', `No element matches '${text}'.`);
}
