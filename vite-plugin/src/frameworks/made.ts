import type { CheckedTag } from '../source/tags.ts';

/** What a call is looked for in: it may go over a few lines. */
const LINES = 4;
/** The calls that the page notes; see created.ts. */
const CALLS =
  /^(?:createElement|createElementNS|importNode|cloneNode|innerHTML|outerHTML|setHTMLUnsafe|insertAdjacentHTML|createContextualFragment|parseFromString)$/;

export function isMade(via: string): boolean {
  return CALLS.test(via);
}

/** Whether the call at a place (1-based) surely made such an element: only one that names its tag tells. */
export function checkMade(
  lines: readonly string[],
  { line, column }: { line: number; column: number },
  via: string,
  tag: string,
): CheckedTag {
  const text = lines.slice(line - 1, line - 1 + LINES).join('\n');
  if (/^createElement/.test(via) && namedTag(text.slice(column - 1)) === tag.toLowerCase())
    return { column, exact: true };
  return {
    column,
    exact: false,
    reason: `${via} made it here; the tag itself is not written here.`,
  };
}

/** The tag that `createElement('li')` or `createElementNS(SVG, 'path')` names. */
function namedTag(call: string): string | undefined {
  const named = /^createElement(?:NS\s*\(\s*[^,()]+,|\s*\()\s*(['"`])([\w:.-]+)\1/.exec(call);
  return named?.[2]?.toLowerCase().replace(/^\w+:/, '');
}
