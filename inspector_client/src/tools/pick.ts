import type { Tool } from '../calls';
import { areaContextOf, commonContainer, elementsIn } from '../element/area';
import { contextOf } from '../element/context';
import type { Mode, Picked, Picking } from '../picking';
import type { AreaContext, ElementContext } from '../protocol';
import type { Locate } from './describe-element';

/** What the agent gets of what the user picked. */
export function describePicked(
  picked: Picked,
  locate: Locate,
  host: Element,
): Promise<ElementContext | AreaContext> {
  if (picked.mode === 'element') return contextOf(picked.element, locate);
  const elements = elementsIn(picked.bounds, host);
  return areaContextOf(picked.bounds, elements, commonContainer(elements), locate);
}

interface PickParts {
  picking: Picking;
  locate: Locate;
  host: Element;
  inspected(context: ElementContext): void;
}

/** The user points, on behalf of an agent. */
export function createPickTool(mode: Mode, { picking, locate, host, inspected }: PickParts): Tool {
  return async ({ ticket, agent, reason }, { signal }) => {
    const ask = {
      mode,
      agent: typeof agent === 'string' && agent ? agent : 'An agent',
      ...(typeof ticket === 'string' ? { ticket } : {}),
      ...(typeof reason === 'string' && reason ? { reason } : {}),
    };
    const picked = await picking.forAgent(ask, signal);
    const context = await describePicked(picked, locate, host);
    const first = 'sourceInfo' in context ? context : context.elements[0];
    if (first) inspected(first);
    return context;
  };
}
