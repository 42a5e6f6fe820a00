// A copy that stands alone collapses its margins otherwise than the element among its neighbours did.

/** Styles of the copy, so that it begins where the picture begins. */
export function anchored(element: Element): Partial<CSSStyleDeclaration> {
  const { color, display } = getComputedStyle(element);
  return {
    color,
    margin: '0',
    transform: 'none',
    translate: 'none',
    rotate: 'none',
    scale: 'none',
    ...(display === 'block' && { display: 'flow-root' }),
    ...(display === 'inline' && inlineBox(element)),
  };
}

/** In a line as well, but no words. */
const REPLACED = 'img,picture,canvas,video,iframe,object,embed';

/** The box of words in a line is not as high as the line. */
function inlineBox(element: Element): Partial<CSSStyleDeclaration> {
  const { length, 0: line } = element.getClientRects();
  return length === 1 && line && !element.matches(REPLACED)
    ? { display: 'block', lineHeight: `${line.height}px` }
    : {};
}

/** What stands first in the copy keeps the distance from the top that it has on the page. */
export function keepTop(element: Element, clone: Node): void {
  let copy: Element | null = clone as Element;
  let around = element;
  for (let inner = firstBlock(element); inner; inner = firstBlock(inner)) {
    copy = copy?.firstElementChild ?? null;
    if (copy?.localName !== inner.localName) return;
    const top = inner.getBoundingClientRect().top - contentTop(around);
    (copy as HTMLElement).style.setProperty('margin-top', `${top}px`, 'important');
    around = inner;
  }
}

const isBlock = (display: string) => /^(block|list-item|flow-root)$/.test(display);

/** The first child, if it is one whose margin may leave its parent. */
function firstBlock(element: Element): Element | null {
  const first = Array.from(element.childNodes).find(
    (node) => node.nodeType === 1 || (node.nodeType === 3 && node.nodeValue?.trim()),
  );
  if (first?.nodeType !== 1 || element.shadowRoot) return null;
  if (!isBlock(getComputedStyle(element).display)) return null;
  const { display, float, position } = getComputedStyle(first as Element);
  const isInFlow = float === 'none' && /^(static|relative|sticky)$/.test(position);
  return isInFlow && isBlock(display) ? (first as Element) : null;
}

function contentTop(element: Element): number {
  const { borderTopWidth, paddingTop } = getComputedStyle(element);
  const inset = Number.parseFloat(borderTopWidth) + Number.parseFloat(paddingTop);
  return element.getBoundingClientRect().top + inset - element.scrollTop;
}
