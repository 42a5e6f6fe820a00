import type { Tool } from '../calls';
import type { DetailsLoader } from '../details';
import { areaContextOf } from '../element/area';
import { contextOf } from '../element/context';
import type { Mode, Picking } from '../picking';
import type { ElementContext } from '../protocol';
import { targetOf } from '../target';
import { texts } from '../ui/texts';

interface PickParts {
  picking: Picking;
  details: DetailsLoader;
  host: Element;
  /** Told at once. */
  picked(element: Element): void;
  inspected(context: ElementContext): void;
}

interface PickArgs {
  agent?: string;
  ticket?: string;
  reason?: string;
}

/** The user points, on behalf of an agent. */
export function createPickTool(mode: Mode, parts: PickParts): Tool {
  const { picking, details, host, inspected } = parts;
  return async (args: PickArgs, signal) => {
    const picked = await picking.forAgent({ agent: texts.someAgent, ...args, mode }, signal);
    const { element, elements, box } = targetOf(picked, host);
    if (!elements) {
      parts.picked(element);
      const context = await contextOf(element, details.explain);
      inspected(context);
      return context;
    }
    const context = await areaContextOf(box, elements, element, details.locate);
    context.elements.slice(0, 1).forEach(inspected);
    return context;
  };
}
