// Draws one element as the page itself can. A bundle of its own, loaded when the first picture is wanted.
import type { Options } from 'modern-screenshot';
import type { Box } from '../protocol';
import { anchored, keepTop } from './anchor';
import { compose } from './compose';
import { drawCopy } from './copy';
import { encode, type Picture } from './encode';
import { hideSecrets, isPrivate, keepState } from './mask';
import { restrictionsOf } from './policy';
import { outermostSvg, partOf, type Size, sizeOf, spareWidth } from './size';
import { elementAround, partWithin, regionAround } from './surroundings';

export interface Drawing {
  /** Raises an error that says why there can be no picture. Sizes in CSS px. */
  draw(
    element: Element,
    maxWidth: number,
    maxHeight: number,
    host: Element,
    /** How much of what lies around it is wanted as well: `left`, `top`, `right`, `bottom`. */
    around?: unknown,
  ): Promise<Picture>;
}

/** More would keep the page busy for seconds. */
const MAX_ELEMENTS = 3000;
const FETCH_WITHIN_MS = 5000;

export const draw: Drawing['draw'] = async (element, maxWidth, maxHeight, host, around) => {
  const count = element.getElementsByTagName('*').length;
  if (count > MAX_ELEMENTS)
    throw new Error(`The element has ${count} elements inside; ${MAX_ELEMENTS} can be drawn.`);
  const { ownOnly } = await restrictionsOf(document);
  const region = regionAround(element, around);
  const whole = outermostSvg(element);
  const subject = region ? elementAround(whole, region, MAX_ELEMENTS) : whole;
  const size = sizeOf(subject);
  const part = partToShow(subject, element, region, size);
  if (!(part.width > 0 && part.height > 0)) throw new Error('The element has no box of its own.');
  const scale = Math.min(1, maxWidth / part.width, maxHeight / part.height);
  const common: Options = {
    // A fraction less, and the last word would wrap.
    width: Math.ceil(size.width) + spareWidth(subject),
    height: Math.ceil(size.height),
    scale,
    timeout: FETCH_WITHIN_MS,
    features: { restoreScrollPosition: true },
    ...(ownOnly && { font: false, fetchFn: ownOnlyFetch }),
  };
  const drawn = await drawWhole(subject, size, common, host);
  const picture = encode((smaller) => compose(drawn, subject, part, scale, smaller), part, scale);
  const { x, y } = partOf(subject, element);
  return region ? { ...picture, left: x - part.x, top: y - part.y } : picture;
};

function partToShow(subject: Element, element: Element, region: Box | null, size: Size): Box {
  if (region && subject !== element) return partWithin(subject, region);
  return subject === element ? { x: 0, y: 0, ...size } : partOf(subject, element);
}

function drawWhole(
  subject: Element,
  size: Size,
  common: Options,
  host: Element,
): Promise<HTMLCanvasElement> {
  const hide = (clone: Node) => hideSecrets(clone, isPrivate(subject));
  const around = subject.parentElement ?? (subject.getRootNode() as Partial<ShadowRoot>).host;
  if ('ownerSVGElement' in subject && around) {
    // Alone it would be drawn without the page's styles.
    const options: Options = {
      ...common,
      filter: (node) => node === subject || subject.contains(node),
      onCloneNode(clone) {
        hide(clone);
        standAlone(clone as HTMLElement, size);
      },
    };
    return drawCopy(around, host, options, keepState);
  }
  const options: Options = {
    ...common,
    style: anchored(subject),
    filter: (node) => node !== host,
    onCloneNode(clone) {
      keepTop(subject, clone);
      hide(clone);
    },
  };
  return drawCopy(subject, host, options, keepState);
}

/** The copy of an element around nothing but an SVG: only the latter is to be seen, and in the corner. */
function standAlone(around: HTMLElement, { width, height }: Size) {
  around.removeAttribute('class');
  around.style.cssText = 'display:block;margin:0;padding:0;border:0';
  const style = (around.firstElementChild as SVGElement | null)?.style;
  const fixed = { position: 'absolute', inset: '0 auto auto 0', margin: '0', transform: 'none' };
  for (const [name, value] of Object.entries(fixed)) style?.setProperty(name, value, 'important');
  style?.setProperty('width', `${width}px`, 'important');
  style?.setProperty('height', `${height}px`, 'important');
}

const EMPTY = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** The page's policy names what it may fetch; its own origin is always among it, for that is how we came here. */
async function ownOnlyFetch(url: string): Promise<string | false> {
  return new URL(url, location.href).origin === location.origin ? false : EMPTY;
}
