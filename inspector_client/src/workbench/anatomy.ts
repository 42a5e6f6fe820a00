import { parentOf, placedIn } from '../element/deep';
import type { Highlight } from '../highlight';
import type { Box } from '../protocol';
import { h } from '../ui/dom';

/** Widths at top, right, bottom, left, in CSS px of the screen. */
export type Edges = [number, number, number, number];

const SIDES = ['Top', 'Right', 'Bottom', 'Left'] as const;
const NONE: Edges = [0, 0, 0, 0];
/** An inline element's lines: of more, the first ones show it well enough. */
const MAX_LINES = 50;
/** So far up a rotation is looked for. */
const MAX_DEPTH = 60;

/** Margin, border, padding and content of the highlighted element, each in its colour. */
export function createAnatomy({ drawn, told, elements }: Highlight): HTMLElement {
  const layer = h('div');
  const [box] = elements;
  let rotated: Element | null = null;

  function show(parts: Part[]): void {
    // Made anew as rarely as the box moves.
    layer.replaceChildren(...parts.flatMap(draw));
    box?.classList.toggle('bare', parts.length > 0);
  }
  told.on((element) => {
    rotated = element && isRotated(element) ? element : null;
    if (!element) show([]);
  });
  drawn.on((element) => show(element && element !== rotated ? partsOf(element) : []));
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

function draw({ box, margin, border, padding }: Part): HTMLElement[] {
  const outer = within(box, margin.map((edge) => -edge) as Edges);
  const inner = within(box, border);
  const rings: [string, Box, Edges][] = [
    ['margin', outer, margin],
    ['edge', box, border],
    ['padding', inner, padding],
    ['content', within(inner, padding), NONE],
  ];
  return rings
    .filter(([name, , edges]) => name === 'content' || edges.some((edge) => edge > 0))
    .map(([name, { x, y, width, height }, edges]) => {
      const ring = h('div', `ring ${name}`);
      ring.style.cssText = `transform:translate(${x}px,${y}px);width:${width}px;height:${height}px;border-width:${edges.map((edge) => `${edge}px`).join(' ')}`;
      return ring;
    });
}
