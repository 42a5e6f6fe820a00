// Finding an element by its selector: in the page, in its frames, and where ' >>> ' leads.
import { CommandError } from '../rules/failure';
import { type Call, Refused } from './calls';
import { askHandle, type Doc, type Handle, notFound } from './documents';
import type { Page } from './page';
import { Thrown } from './results';

const FRAME_MS = 2000;

/** The element; throws ELEMENT_NOT_FOUND or INVALID_SELECTOR. */
export async function find(page: Page, call: Call, selector: string): Promise<Handle> {
  const { documents } = page;
  try {
    const found =
      (await documents.within(call, documents.main, look(call, selector))) ??
      (await inOtherFrames(page, call, selector)) ??
      (await throughFrames(page, call, selector));
    if (found) return found;
  } catch (error) {
    if (error instanceof Thrown && error.message.includes('is not a valid CSS selector'))
      throw new CommandError(
        'INVALID_SELECTOR',
        `${JSON.stringify(selector)} is not a valid CSS selector.`,
        { selector },
      );
    throw error;
  }
  throw notFound(selector);
}

const look =
  (call: Call, selector: string) =>
  (doc: Doc): Promise<Handle | null> =>
    askHandle(call, doc, 'findBySelector', [selector], JSON.stringify(selector));

/** In those of other origins; the page's own toolkit sees into the others. */
async function inOtherFrames(page: Page, call: Call, selector: string): Promise<Handle | null> {
  const { documents } = page;
  const frames = new Set(documents.worlds().map(({ frameId }) => frameId));
  frames.delete(documents.main);
  for (const frameId of frames) {
    try {
      const doc = await documents.of(call, frameId, FRAME_MS);
      const found = await look(call, selector)(doc);
      if (found) return found;
    } catch (error) {
      // A frame that went away, or hangs, has no elements to use.
      const mayPass =
        error instanceof Refused ||
        (error instanceof CommandError && error.code === 'COMMAND_TIMEOUT');
      if (!mayPass) throw error;
    }
  }
  return null;
}

async function throughFrames(page: Page, call: Call, selector: string): Promise<Handle | null> {
  const { documents } = page;
  const parts = selector.split('>>>').map((part) => part.trim());
  const last = parts.pop();
  if (!parts.length || !last) return null;
  let frameId = documents.main;
  for (const part of parts) {
    const frame = await documents.within(call, frameId, look(call, part));
    if (!frame) return null;
    const { node } = await call<{ node: { frameId?: string } }>(
      'DOM.describeNode',
      { objectId: frame.objectId },
      { session: frame.doc.session },
    );
    if (!node.frameId) return null;
    frameId = node.frameId;
  }
  return documents.within(call, frameId, look(call, last));
}
