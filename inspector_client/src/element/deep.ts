// The page as one tree: through open shadow roots and same-origin frames.
import { attempt } from '../basics';
import { ToolError } from '../failure';
import type { Box } from '../protocol';

export const PIERCE = ' >>> ';

/** Elements may come from a frame, whose classes are not ours: so by node type and name, never instanceof. */
export function isElement(node: unknown): node is Element {
  return (node as Node | null)?.nodeType === 1;
}

/** What lies inside an element besides its children: its shadow root, or its frame's document. */
export function innerRoot(element: Element): ShadowRoot | Document | null {
  if (element.shadowRoot) return element.shadowRoot;
  if (element.localName !== 'iframe' && element.localName !== 'frame') return null;
  return attempt(() => (element as HTMLIFrameElement).contentDocument, null);
}

/** The element around a root: the shadow host, or the frame. */
export function hostOf(root: Node): Element | null {
  if (root.nodeType === 11) return (root as ShadowRoot).host ?? null;
  if (root.nodeType !== 9) return null;
  return attempt(() => (root as Document).defaultView?.frameElement ?? null, null);
}

export function parentOf(element: Element): Element | null {
  return element.parentElement ?? hostOf(element.getRootNode());
}

export function childrenOf(element: Element): Element[] {
  const root = innerRoot(element);
  const inner =
    root?.nodeType === 9 ? [(root as Document).documentElement] : (root?.children ?? []);
  return [...inner, ...element.children];
}

/** The box in CSS px of the top page's viewport. */
export function boxOf(element: Element): Box {
  const { x, y, width, height } = boxWithContents(element);
  const frame = hostOf(element.ownerDocument);
  if (!frame) return { x, y, width, height };
  const outer = boxOf(frame);
  return { x: x + outer.x + frame.clientLeft, y: y + outer.y + frame.clientTop, width, height };
}

/** `display: contents` has no box of its own: then that of what is inside. */
function boxWithContents(element: Element): Box {
  const own = element.getBoundingClientRect();
  if (own.width || own.height || !element.childNodes.length) return own;
  const range = element.ownerDocument.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

export function isVisible(element: Element): boolean {
  const box = boxOf(element);
  return (
    box.width > 0 &&
    box.height > 0 &&
    (element.checkVisibility?.({ visibilityProperty: true }) ?? true)
  );
}

export function contains(box: Box, x: number, y: number): boolean {
  return x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
}

/** All matches of a selector whose parts are joined by ' >>> ', in document order. */
export function queryDeep(selector: string): Element[] {
  let found: Element[] = [];
  let roots: ParentNode[] = [document];
  for (const part of selector.split(PIERCE.trim())) {
    found = roots.flatMap((root) => query(root, part.trim(), selector));
    roots = found.map(innerRoot).filter((root) => root !== null);
  }
  return found.filter((element) => element.localName !== 'pageside-overlay');
}

function query(root: ParentNode, part: string, selector: string): Element[] {
  try {
    return [...root.querySelectorAll(part)];
  } catch {
    const where = part === selector ? '' : ` (in its part '${part}')`;
    throw new ToolError('INVALID_SELECTOR', `'${selector}' is not a valid CSS selector${where}.`);
  }
}
