// Draws the boxes of one element for a picture, where the page cannot see it and nothing of it stays.
import { OVERLAY_TAG } from '../element/deep';

const SVG = 'http://www.w3.org/2000/svg';
const REFERENCE_PX = 100;
const LABEL_HEIGHT_PX = 18;
const LABEL_GAP_PX = 2;

/** Four corners, clockwise: x1, y1, x2, y2 … */
export type Quad = readonly number[];
export interface Quads {
  readonly content: Quad;
  readonly padding: Quad;
  readonly border: Quad;
  readonly margin: Quad;
}
export interface Label {
  readonly text: string;
  /** Px of the drawing for each px of the tab: what a frame enlarges must not enlarge the label. */
  readonly unit: number;
  /** How much of the page the picture shows around the margin box, in px of the tab. */
  readonly around: number;
  /** The picture shows more than the window does. */
  readonly isBeyond: boolean;
}

/** From the outside in; each is filled as far as the next one. */
const LAYERS = [
  ['margin', '246,178,107'],
  ['border', '255,229,153'],
  ['padding', '147,196,125'],
  ['content', '111,168,220'],
] as const;
const LAYOUT: Record<string, string> = {
  all: 'initial',
  position: 'fixed',
  inset: '0',
  display: 'block',
  width: '100%',
  height: '100%',
  overflow: 'visible',
  'pointer-events': 'none',
  'z-index': '2147483647',
};

export interface Marks {
  /** Puts an empty drawing over the document of `element`; its reference is a square of 100 px in the corner of it. */
  openMark(element: Element): Element;
  /** Quads in px of the drawing, as the reference has them. */
  drawMark(quads: Quads, label: Label): void;
  closeMark(): void;
}

export function createMarks(): Marks {
  let svg: SVGElement | null = null;
  let close = (): void => {};
  return {
    openMark(element) {
      close();
      const doc = element.ownerDocument;
      const host = doc.createElementNS('http://www.w3.org/1999/xhtml', 'div') as HTMLElement;
      for (const [name, value] of Object.entries(LAYOUT)) {
        host.style.setProperty(name, value, 'important');
      }
      host.popover = 'manual';
      svg = make(doc, 'svg', { width: '100%', height: '100%', overflow: 'visible' });
      const square = { width: REFERENCE_PX, height: REFERENCE_PX, fill: 'none' };
      const reference = make(doc, 'rect', square);
      svg.append(reference);
      host.attachShadow({ mode: 'closed' }).append(svg);
      // Inside the overlay's shadow root no observer of the page sees it.
      (doc.querySelector(OVERLAY_TAG)?.shadowRoot ?? doc.documentElement).append(host);
      host.showPopover();
      close = () => host.remove();
      return reference;
    },
    drawMark(quads, label) {
      if (!svg) return;
      LAYERS.forEach(([name, colour], index) => {
        const inner = LAYERS[index + 1]?.[0];
        const d = path(quads[name]) + (inner ? path(quads[inner]) : '');
        const fill = { d, fill: `rgba(${colour},.3)`, 'fill-rule': 'evenodd' };
        svg?.append(make(svg.ownerDocument, 'path', fill));
      });
      for (const [name, colour] of LAYERS) {
        const line = { d: path(quads[name]), fill: 'none', stroke: `rgb(${colour})` };
        svg.append(make(svg.ownerDocument, 'path', line));
      }
      drawLabel(svg, quads.margin, label);
    },
    closeMark() {
      close();
      close = () => {};
      svg = null;
    },
  };
}

/** Above the margin box; below it, or inside of it, where there is no room. */
function drawLabel(
  svg: SVGElement,
  quad: Quad,
  { text: words, unit, around, isBeyond }: Label,
): void {
  const group = make(svg.ownerDocument, 'g', {});
  const back = make(svg.ownerDocument, 'rect', { height: LABEL_HEIGHT_PX, rx: 3, fill: '#1a1a1a' });
  const font = { 'font-family': 'sans-serif', 'font-size': 11, fill: '#fff', x: 5, y: 13 };
  const text = make(svg.ownerDocument, 'text', font) as SVGTextElement;
  text.textContent = words;
  group.append(back, text);
  svg.append(group);
  const width = text.getComputedTextLength() + 10;
  back.setAttribute('width', String(width));
  const margin = edgesOf(quad);
  const shown = isBeyond ? null : viewOf(svg);
  const top = Math.max(margin.top - around * unit, shown?.top ?? 0);
  const bottom = Math.min(margin.bottom + around * unit, shown?.bottom ?? Infinity);
  const right = Math.min(margin.right + around * unit, shown?.right ?? Infinity);
  const above = margin.top - (LABEL_HEIGHT_PX + LABEL_GAP_PX) * unit;
  const below = margin.bottom + LABEL_GAP_PX * unit;
  const hasRoomBelow = below + LABEL_HEIGHT_PX * unit <= bottom;
  const y = above >= top ? above : hasRoomBelow ? below : Math.max(margin.top, top);
  const x = Math.max(0, shown?.left ?? 0, Math.min(margin.left, right - width * unit));
  group.setAttribute('transform', `translate(${x} ${y}) scale(${unit})`);
}

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function edgesOf(quad: Quad): Edges {
  const xs = quad.filter((_, index) => index % 2 === 0);
  const ys = quad.filter((_, index) => index % 2 === 1);
  return {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
}

/** The window in px of the drawing; CSS `zoom` may enlarge those. */
function viewOf(svg: SVGElement): Edges {
  const { left, top, width } = (svg.firstElementChild as Element).getBoundingClientRect();
  const px = width / REFERENCE_PX || 1;
  const view = svg.ownerDocument.defaultView;
  return {
    left: -left / px,
    top: -top / px,
    right: ((view?.innerWidth ?? 0) - left) / px,
    bottom: ((view?.innerHeight ?? 0) - top) / px,
  };
}

function make(
  doc: Document,
  name: string,
  attributes: Record<string, string | number>,
): SVGElement {
  const made = doc.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made as SVGElement;
}

function path(quad: Quad): string {
  const corners = [0, 2, 4, 6].map((index) => `${quad[index]} ${quad[index + 1]}`);
  return `M${corners.join('L')}Z`;
}
