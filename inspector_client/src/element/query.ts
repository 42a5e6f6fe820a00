// Finding elements by a selector: through open shadow roots and same-origin frames.
import { ToolError } from '../failure';
import { innerRoot, isVisible, OVERLAY_TAG, PIERCE } from './deep';

/** The first visible match, else the first, in document order; and how many there are. */
export function firstMatch(selector: string): { element: Element | null; matches: number } {
  const found = allMatches(selector);
  return { element: found.find(isVisible) ?? found[0] ?? null, matches: found.length };
}

/** Without ' >>> ' what lies inside shadow roots and frames counts only where there is nothing else. */
export function allMatches(selector: string): Element[] {
  const found = queryDeep(selector);
  const isDone = found.length > 0 || selector.includes(PIERCE.trim());
  return isDone ? found : matchesIn(document, selector);
}

function matchesIn(root: ParentNode, selector: string): Element[] {
  return [...root.querySelectorAll('*')].flatMap((element) => {
    const inner = element.localName !== OVERLAY_TAG && innerRoot(element);
    const own = element.matches(selector) ? [element] : [];
    return inner ? [...own, ...matchesIn(inner, selector)] : own;
  });
}

/** All matches of a selector whose parts are joined by ' >>> '. Raises `INVALID_SELECTOR`. */
export function queryDeep(selector: string): Element[] {
  let found: Element[] = [];
  let roots: ParentNode[] = [document];
  for (const part of selector.split(PIERCE.trim())) {
    found = roots.flatMap((root) => query(root, part.trim()));
    roots = found.map(innerRoot).filter((root) => root !== null);
  }
  return found;
}

function query(root: ParentNode, selector: string): Element[] {
  try {
    return [...root.querySelectorAll(selector)];
  } catch {
    throw new ToolError('INVALID_SELECTOR', `'${selector}' is not a valid CSS selector.`);
  }
}
