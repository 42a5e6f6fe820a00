// Pictures of a tab: the viewport or an element, never larger than asked for, without what is secret.
import { LIMITS } from '../../shared/contract';
import { CommandError } from '../rules/failure';
import { fitted, type Size, smaller } from '../rules/sizes';
import type { Call } from './calls';
import { ask, type Doc, type Handle } from './documents';
import { find } from './find';
import { type Image, imageOf, redrawn } from './images';
import type { Page } from './page';
import { jsonOf } from './results';

export interface Picture {
  name: string;
  mime: 'image/png' | 'image/jpeg';
  data: string;
  width: number;
  height: number;
}
export interface Asked {
  name: string;
  selector?: string;
  width?: number;
  height?: number;
}
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** In CSS px; `ratio`: device px for one of them, `zoom`: DIPs for one. */
interface View {
  box: Box;
  ratio: number;
  zoom: number;
}
interface Layout {
  cssVisualViewport: {
    pageX: number;
    pageY: number;
    clientWidth: number;
    clientHeight: number;
    zoom?: number;
  };
}

const FIRST_MS = 5000;
const FRAME_MS = 2000;
const TRIES = 4;

export async function screenshot(page: Page, call: Call, asked: Asked): Promise<Picture> {
  await page.activity.loaded();
  const element = asked.selector ? await find(page, call, asked.selector) : null;
  const around = element ? await boxOf(page, call, element) : null;
  const view = await viewOf(call);
  const limit: Size = { width: asked.width, height: asked.height };
  const image = await withoutSecrets(page, call, () => drawn(page, call, view, around, limit));
  return { name: asked.name, ...(await carried(image)) };
}

/** The viewport, or the part of the page that a box of it takes up, as large as may be. */
async function drawn(
  page: Page,
  call: Call,
  view: View,
  around: Box | null,
  limit: Size,
): Promise<Image> {
  const box = around ?? { ...view.box, x: 0, y: 0 };
  const isInside =
    box.x >= 0 &&
    box.y >= 0 &&
    box.x + box.width <= view.box.width &&
    box.y + box.height <= view.box.height;
  if (isInside) {
    // Chrome would resize the page for a part of it, and forget what size DevTools gave it; so the part is cut out here.
    const whole = await imageOf(await cast(page, call, {}));
    const ratio = whole.width / view.box.width;
    const source = { x: box.x * ratio, y: box.y * ratio };
    const { width, height } = fitted(box, ratio, limit);
    const [from, to] = [box.width * ratio, box.height * ratio];
    return redrawn(whole, { ...source, width: from, height: to }, { width, height });
  }
  const { scale } = fitted(box, view.ratio, limit);
  const { zoom } = view;
  const clip = {
    x: (box.x + view.box.x) * zoom,
    y: (box.y + view.box.y) * zoom,
    width: box.width * zoom,
    height: box.height * zoom,
    scale,
  };
  return imageOf(await cast(page, call, { clip, captureBeyondViewport: true }));
}

/** As PNG; where that is too large as JPEG, and then smaller. */
async function carried(image: Image): Promise<Omit<Picture, 'name'>> {
  const png = await image.encoded('image/png');
  if (png.length <= LIMITS.pictureChars) return { mime: 'image/png', data: png, ...sizeOf(image) };
  let size = sizeOf(image);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const smallerOne = redrawn(image, { x: 0, y: 0, ...sizeOf(image) }, size);
    const data = await smallerOne.encoded('image/jpeg');
    if (data.length <= LIMITS.pictureChars) return { mime: 'image/jpeg', data, ...size };
    size = smaller(size, data.length / LIMITS.pictureChars);
  }
  throw new CommandError(
    'RESULT_TOO_LARGE',
    `The picture is too large even as ${size.width}x${size.height}: ask for a smaller 'width'.`,
  );
}

const sizeOf = ({ width, height }: Image) => ({ width, height });

async function viewOf(call: Call): Promise<View> {
  const [{ cssVisualViewport: view }, ratio] = await Promise.all([
    call<Layout>('Page.getLayoutMetrics'),
    call('Runtime.evaluate', { expression: 'devicePixelRatio', returnByValue: true }),
  ]);
  return {
    box: { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight },
    ratio: Number(jsonOf(ratio)) || 1,
    zoom: view.zoom ?? 1,
  };
}

/** A tab behind others draws nothing by itself; what is cast is drawn. */
async function cast(page: Page, call: Call, how: object): Promise<string> {
  const started = call('Page.startScreencast', {
    format: 'jpeg',
    quality: 1,
    maxWidth: 16,
    maxHeight: 16,
  });
  try {
    await started;
    const { data } = await captured(call, { format: 'png', optimizeForSpeed: true, ...how });
    return data;
  } finally {
    page.call('Page.stopScreencast').catch(() => null);
  }
}

async function captured(call: Call, how: object): Promise<{ data: string }> {
  try {
    return await call('Page.captureScreenshot', how, { limitMs: FIRST_MS });
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'COMMAND_TIMEOUT') throw error;
    return call('Page.captureScreenshot', how);
  }
}

/** Passwords, card numbers, one-time codes and `data-private` parts are covered meanwhile. */
async function withoutSecrets<T>(page: Page, call: Call, work: () => Promise<T>): Promise<T> {
  const { documents } = page;
  const frames = new Set([documents.main, ...documents.worlds().map(({ frameId }) => frameId)]);
  const covered: Doc[] = [];
  try {
    for (const frameId of frames) {
      const limitMs = frameId === documents.main ? undefined : FRAME_MS;
      const count = await documents.within(call, frameId, async (doc) => {
        covered.push(doc);
        return ask<number>(call, doc, 'maskSecrets', [], limitMs);
      });
      if (!count) covered.pop();
    }
    return await work();
  } finally {
    // A document that went away meanwhile took its covers with it.
    for (const doc of covered) ask(page.call, doc, 'unmaskSecrets').catch(() => null);
  }
}

/** The border box of an element in the viewport of the tab, after scrolling it into view. */
async function boxOf(page: Page, call: Call, element: Handle): Promise<Box> {
  const { doc, objectId, label } = element;
  const how = { session: doc.session };
  try {
    await call('DOM.scrollIntoViewIfNeeded', { objectId }, how);
    const zoom = await ask<number>(call, doc, 'frameZoom', [element]);
    const { model } = await call<Model>('DOM.getBoxModel', { objectId }, how);
    const box = enclosing(model.border.map((value) => value * zoom));
    const { x, y } = await offsetOf(page, call, doc.session);
    const placed = { ...box, x: box.x + x, y: box.y + y };
    if (placed.width >= 1 && placed.height >= 1) return placed;
  } catch (error) {
    if (error instanceof CommandError) throw error;
  }
  throw new CommandError(
    'ELEMENT_NOT_READY',
    `There is no picture of ${label}: it is not drawn, or has no size. Name an element that is shown.`,
  );
}

interface Model {
  model: { border: number[]; content: number[] };
}

function enclosing(quad: number[]): Box {
  const xs = quad.filter((_, index) => index % 2 === 0);
  const ys = quad.filter((_, index) => index % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** Where the viewport of a process begins in that of the tab. */
async function offsetOf(
  page: Page,
  call: Call,
  inner: string | undefined,
): Promise<{ x: number; y: number }> {
  const { children } = page.documents;
  const frameId = inner && children.get(inner);
  for (const session of frameId ? [undefined, ...children.keys()] : []) {
    // The one around it knows its owner.
    const owner = await call<{ backendNodeId: number }>(
      'DOM.getFrameOwner',
      { frameId },
      { session },
    ).catch(() => null);
    if (!owner || session === inner) continue;
    const { model } = await call<Model>('DOM.getBoxModel', owner, { session });
    const [x = 0, y = 0] = model.content;
    const outer = await offsetOf(page, call, session);
    return { x: x + outer.x, y: y + outer.y };
  }
  return { x: 0, y: 0 };
}
