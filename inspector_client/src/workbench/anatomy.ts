import { parentOf, placedIn } from '../element/deep';
import type { Drawn, Highlight } from '../highlight';
import type { Box } from '../protocol';
import { h } from '../ui/dom';

/** Widths at top, right, bottom, left, in CSS px of the screen. */
export type Edges = [number, number, number, number];

const SIDES = ['Top', 'Right', 'Bottom', 'Left'] as const;
const NONE: Edges = [0, 0, 0, 0];
const OUTLINE: Edges = [2, 2, 2, 2];
const OUTSIDE: Edges = [-2, -2, -2, -2];
const NOWHERE: Box = { x: 0, y: 0, width: 0, height: 0 };
const BANDS = ['outline', 'margin', 'edge', 'padding'];
const STRIPS = [...BANDS.flatMap((name) => [name, name, name, name]), 'content'];
/** An inline element's lines: of more, the first ones show it well enough. */
const MAX_LINES = 20;
/** So far up a rotation is looked for. */
const MAX_DEPTH = 60;

/** Margin, border, padding and content of the highlighted element, each in its colour, and an outline. */
export function createAnatomy({ drawn, box }: Highlight): HTMLElement {
  const layer = h('div');
  let known: Element | null = null;
  let isTurned = false;

  function partsOfDrawn({ element, box: around }: Drawn): Part[] {
    if (element !== known) isTurned = !!element && isRotated(element);
    known = element;
    const parts = element && !isTurned ? partsOf(element) : [];
    box.classList.toggle('bare', parts.length > 0);
    return parts.length > 0 ? parts : [{ box: around, margin: NONE, border: NONE, padding: NONE }];
  }
  function show(boxes: Box[]): void {
    while (layer.childElementCount < boxes.length)
      layer.append(...STRIPS.map((name) => h('div', `ring ${name}`)));
    // Kept, and moved by their transforms alone: see the highlight.
    for (const [index, strip] of [...layer.children].entries()) {
      const { x, y, width, height } = boxes[index] ?? NOWHERE;
      (strip as HTMLElement).style.transform = `translate(${x}px,${y}px)scale(${width},${height})`;
    }
  }
  drawn.watch((now) => {
    if (!now) return show([]);
    const parts = partsOfDrawn(now);
    // Of a mere area, or what is turned, the highlight's own tint is the content.
    show(parts.flatMap((part) => stripsOf(part, box.classList.contains('bare'))));
  });
  return layer;
}

interface Part {
  /** The border box. */
  box: Box;
  margin: Edges;
  border: Edges;
  padding: Edges;
}

function partsOf(element: Element): Part[] {
  const style = getComputedStyle(element);
  if (style.display === 'contents') return [];
  const isInline = style.display === 'inline' && isHtml(element) && !isReplaced(element);
  const outer = element.getBoundingClientRect();
  const lines = isInline ? [...element.getClientRects()].slice(0, MAX_LINES) : [outer];
  const scale = isInline ? evenly(element) : scaleOf(element, outer);
  const margin = edgesOf(style, (side) => `margin${side}`, scale);
  // An inline element keeps its distance to the left and right only.
  if (isInline) margin[0] = margin[2] = 0;
  const border = edgesOf(style, (side) => `border${side}Width`, scale);
  const padding = edgesOf(style, (side) => `padding${side}`, scale);
  return lines.map((rect, line) => {
    const isCut = style.boxDecorationBreak !== 'clone';
    const ends = (edges: Edges): Edges => [
      edges[0],
      line === lines.length - 1 || !isCut ? edges[1] : 0,
      edges[2],
      line === 0 || !isCut ? edges[3] : 0,
    ];
    const box = placedIn(element.ownerDocument, rect);
    return { box, margin: ends(margin), border: ends(border), padding: ends(padding) };
  });
}

function edgesOf(
  style: CSSStyleDeclaration,
  name: (side: (typeof SIDES)[number]) => string,
  [across, down]: [number, number],
): Edges {
  const px = (side: (typeof SIDES)[number]) =>
    Math.max(0, Number.parseFloat(style[name(side) as 'marginTop']) || 0);
  return SIDES.map((side, index) => px(side) * (index % 2 ? across : down)) as Edges;
}

const isHtml = (element: Element): element is HTMLElement => 'offsetWidth' in element;
const isReplaced = ({ localName }: Element) =>
  /^(img|video|canvas|iframe|input|textarea|select|button|svg|embed|object|audio)$/.test(localName);

/** How much larger than its own style says it is on the screen, by `zoom` and by transforms. */
function scaleOf(element: Element, { width, height }: DOMRect): [number, number] {
  if (!isHtml(element) || !element.offsetWidth || !element.offsetHeight) return evenly(element);
  return [width / element.offsetWidth, height / element.offsetHeight];
}

function evenly({ currentCSSZoom = 1 }: Element & { currentCSSZoom?: number }): [number, number] {
  return [currentCSSZoom, currentCSSZoom];
}

/** Of what does not lie along the screen's edges there is no more to say than the box around it. */
function isRotated(element: Element): boolean {
  let at: Element | null = element;
  for (let depth = 0; at && depth < MAX_DEPTH; depth += 1, at = parentOf(at)) {
    const { transform, rotate } = getComputedStyle(at);
    if (rotate && rotate !== 'none') return true;
    if (transform === 'none' || !transform) continue;
    const { b, c, is2D } = new DOMMatrixReadOnly(transform);
    if (!is2D || Math.abs(b) + Math.abs(c) > 1e-6) return true;
  }
  return false;
}

/** The box inside those edges. */
export function within({ x, y, width, height }: Box, [top, right, bottom, left]: Edges): Box {
  return {
    x: x + left,
    y: y + top,
    width: Math.max(0, width - left - right),
    height: Math.max(0, height - top - bottom),
  };
}

/** The lines and bands around a box, and what is left in the middle; in the order of `STRIPS`. */
function stripsOf({ box, margin, border, padding }: Part, isFilled: boolean): Box[] {
  const inner = within(box, border);
  const content = within(inner, padding);
  return [
    ...bandsOf(within(box, OUTSIDE), OUTLINE),
    ...bandsOf(within(box, margin.map((edge) => -edge) as Edges), margin),
    ...bandsOf(box, border),
    ...bandsOf(inner, padding),
    isFilled ? content : NOWHERE,
  ];
}

/** Between a box and the one inside those edges: at its top, right, bottom and left. */
function bandsOf(outer: Box, edges: Edges): Box[] {
  const { x, y, width } = outer;
  const inner = within(outer, edges);
  const [top, right, bottom, left] = edges;
  return [
    { x, y, width, height: top },
    { x: inner.x + inner.width, y: inner.y, width: right, height: inner.height },
    { x, y: inner.y + inner.height, width, height: bottom },
    { x, y: inner.y, width: left, height: inner.height },
  ];
}
