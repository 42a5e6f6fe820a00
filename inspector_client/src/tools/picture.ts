import { messageOf } from '../basics';
import type { Tool } from '../calls';
import { elementOf } from '../element/registry';
import { ToolError } from '../failure';
import type { Drawing } from '../picture/draw';

/** Loaded when it is needed for the first time: most pages never draw anything. */
export type LoadDrawing = () => Promise<Drawing>;

export function createPicture(load: LoadDrawing, host: Element): Tool {
  return async ({ element: id, maxWidth, maxHeight, around }) => {
    const element = elementOf(String(id));
    if (!element?.isConnected)
      throw new ToolError('ELEMENT_NOT_FOUND', 'The element is not on the page any more.');
    try {
      const { draw } = await load();
      return await draw(element, Number(maxWidth), Number(maxHeight), host, around);
    } catch (error) {
      throw new ToolError('NO_PICTURE', messageOf(error));
    }
  };
}
