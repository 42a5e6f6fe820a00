import type { Tool } from '../calls';
import { contextOf } from '../element/context';
import { isVisible, PIERCE, queryDeep } from '../element/deep';
import { ToolError } from '../failure';
import type { SourceLocation } from '../protocol';

export type Locate = (element: Element) => Promise<SourceLocation>;

export function createDescribeElement(locate: Locate): Tool {
  return async ({ selector }) => {
    if (typeof selector !== 'string' || selector.trim() === '')
      throw new ToolError('INVALID_ARGUMENTS', "'selector' must be a CSS selector.");
    const [element, matches] = findElement(selector);
    const context = await contextOf(element, locate);
    return matches > 1 ? { ...context, matches } : context;
  };
}

/** The first visible match, else the first; and how many there are. */
export function findElement(selector: string): [Element, number] {
  const found = queryDeep(selector);
  const [first] = found;
  if (!first)
    throw new ToolError('ELEMENT_NOT_FOUND', `No element matches '${selector}'.${near(selector)}`);
  return [found.find(isVisible) ?? first, found.length];
}

/** What the selector finds without its last part, or when it is looked for everywhere. */
function near(selector: string): string {
  const variants = [
    selector.replace(/\s*>>>\s*\S+$/, ''),
    selector.replace(/[\s>+~]+[^\s>+~]+$/, ''),
    selector.replace(/:[\w-]+(\([^)]*\))?/g, ''),
  ];
  for (const variant of variants) {
    if (!variant || variant === selector || variant.endsWith(PIERCE.trim())) continue;
    const count = countOf(variant);
    if (count > 0) return ` '${variant}' matches ${count}.`;
  }
  return '';
}

function countOf(selector: string): number {
  try {
    return queryDeep(selector).length;
  } catch {
    return 0;
  }
}
