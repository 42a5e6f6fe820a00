import type { Tool } from '../calls';
import { contextOf } from '../element/context';
import { firstMatch } from '../element/query';
import { ToolError } from '../failure';
import type { SourceLocation } from '../protocol';

export type Locate = (element: Element) => Promise<SourceLocation>;

export function createDescribeElement(locate: Locate): Tool {
  return async ({ selector }) => {
    const { element, matches } = findElement(selector);
    return { ...(await contextOf(element, locate)), ...(matches > 1 && { matches }) };
  };
}

/** Raises `INVALID_SELECTOR` and `ELEMENT_NOT_FOUND`. */
export function findElement(selector: unknown): { element: Element; matches: number } {
  const { element, matches } = firstMatch(String(selector));
  if (element) return { element, matches };
  throw new ToolError('ELEMENT_NOT_FOUND', `No element matches '${selector}'.`);
}
