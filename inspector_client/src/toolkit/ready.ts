// Waits until an element can be used as a person would use it, and says where; or what stands in the way.
import { hostOf, parentOf } from '../element/deep';
import { isOverlay, OWN, takesInput } from './overlay';

export interface Needs {
  enabled: boolean;
  editable: boolean;
  /** A mouse event at its middle would reach it, and it rests: it is where it was a frame ago. */
  hit: boolean;
}

/** Where the event goes (CSS px of this process's outermost document), or why it cannot. */
export type Readiness = { x: number; y: number; what: string } | { why: string; what: string };

const FRAME_LIMIT_MS = 100;
const BLOCKS: ScrollLogicalPosition[] = ['center', 'end', 'start'];

export const describe = (element: Element): string => {
  const classes = (element.getAttribute('class') ?? '')
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 3);
  const id = element.id && `#${element.id}`;
  return `<${element.localName}${id}${classes.map((name) => `.${name}`).join('')}>`;
};

export async function ready(node: Node, needs: Needs, timeoutMs: number): Promise<Readiness> {
  const element = (node.nodeType === 1 ? node : node.parentElement) as Element;
  const end = performance.now() + timeoutMs;
  const what = describe(element);
  let last: string | null = null;
  for (let round = 0; ; round += 1) {
    const seen = look(element, needs, BLOCKS[Math.trunc(round / 3) % BLOCKS.length] ?? 'center');
    let why = seen.why;
    if (!why) {
      if (seen.place === last || !needs.hit) return { ...pointIn(seen), what };
      last = seen.place;
      why = 'it is moving';
    } else last = null;
    if (performance.now() > end) return { why, what };
    await nextFrame();
  }
}

interface Look {
  why: string;
  place: string;
  x: number;
  y: number;
}

const pointIn = ({ x, y }: Look) => ({ x, y });

function look(element: Element, needs: Needs, block: ScrollLogicalPosition): Look {
  const none = (why: string): Look => ({ why, place: '', x: 0, y: 0 });
  const refused = refusal(element, needs);
  if (refused) return none(refused);
  let point = visiblePoint(element);
  if (!point || (needs.hit && obstacle(element, point))) {
    // Instantly, whatever the page's `scroll-behavior` says: a slow scroll would look like a moving element.
    element.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    point = visiblePoint(element);
  }
  if (!point) return none('it is outside the viewport');
  const box = element.getBoundingClientRect();
  const outer = outermost(element, point);
  const place = [box.x, box.y, box.width, box.height, outer.x, outer.y].join();
  return { why: (needs.hit && obstacle(element, point)) || '', place, ...outer };
}

function refusal(element: Element, { enabled, editable }: Needs): string {
  if (!element.isConnected) return 'it is no longer in the document';
  const taken = isOverlay(element) ? OWN : takesInput();
  if (taken) return taken;
  if (enabled && isDisabled(element)) return 'it is disabled';
  if (editable && (element as HTMLInputElement).readOnly) return 'it is read-only';
  if (!rectOf(element)) return 'it is not visible (it has no size)';
  if (element.checkVisibility && !element.checkVisibility({ visibilityProperty: true }))
    return 'it is not visible';
  return '';
}

const isDisabled = (element: Element): boolean =>
  element.matches(':disabled') || !!element.closest('[aria-disabled=true],[inert]');

const rectOf = (element: Element): DOMRect | undefined =>
  [...element.getClientRects()].find(({ width, height }) => width > 0 && height > 0);

interface Point {
  x: number;
  y: number;
}

/** The middle of what is in the viewport of the element's own document. */
function visiblePoint(element: Element): Point | null {
  const rect = rectOf(element);
  const view = element.ownerDocument.defaultView;
  if (!rect || !view) return null;
  const [left, right] = [Math.max(rect.left, 0), Math.min(rect.right, view.innerWidth)];
  const [top, bottom] = [Math.max(rect.top, 0), Math.min(rect.bottom, view.innerHeight)];
  return left < right && top < bottom ? { x: (left + right) / 2, y: (top + bottom) / 2 } : null;
}

/** What would get a mouse event at the point instead of the element; '' if nothing. */
function obstacle(element: Element, point: Point): string {
  const hit = deepHit(element.ownerDocument, point);
  if (!hit) return 'nothing is there to receive the event';
  if (isOverlay(hit)) return 'Pageside’s overlay covers it, and only the user may use that';
  if (!reaches(hit, element)) return `another element covers it: ${describe(hit)}`;
  const frame = hostOf(element.ownerDocument);
  if (!frame) return '';
  const outer = throughFrame(frame, point);
  const around = deepHit(frame.ownerDocument, outer);
  if (around !== frame)
    return `another element covers its frame: ${around ? describe(around) : 'nothing'}`;
  return obstacle(frame, outer);
}

function reaches(hit: Element, element: Element): boolean {
  for (let each: Element | null = hit; each; each = each.assignedSlot ?? parentOf(each))
    if (each === element) return true;
  const label = hit.closest('label') as HTMLLabelElement | null;
  return label?.control === element || element.localName === 'option' || isWithin(hit, element);
}

/** A click on what an element's own label or shadow tree shows reaches the element. */
const isWithin = (hit: Element, element: Element): boolean =>
  element.localName === 'area' && hit.localName === 'img';

function deepHit(root: Document | ShadowRoot, { x, y }: Point): Element | null {
  const hit = root.elementFromPoint(x, y);
  const inner = hit?.shadowRoot?.elementFromPoint(x, y);
  return hit?.shadowRoot && inner && inner !== hit ? deepHit(hit.shadowRoot, { x, y }) : hit;
}

function throughFrame(frame: Element, { x, y }: Point): Point {
  const { left, top } = frame.getBoundingClientRect();
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  return {
    x: x + left + frame.clientLeft + Number.parseFloat(paddingLeft),
    y: y + top + frame.clientTop + Number.parseFloat(paddingTop),
  };
}

function outermost(element: Element, point: Point): Point {
  const frame = hostOf(element.ownerDocument);
  return frame ? outermost(frame, throughFrame(frame, point)) : point;
}

/** The next drawn frame; a hidden document draws none, so not for ever. */
export const nextFrame = (): Promise<unknown> =>
  new Promise((done) => {
    requestAnimationFrame(done);
    setTimeout(done, FRAME_LIMIT_MS);
  });
