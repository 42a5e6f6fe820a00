import type { Tool } from '../calls';
import { readPageInfo } from '../connection/page-info';
import type { DetailsLoader } from '../details';
import { selectorOf } from '../element/selector';
import type { Recorder } from '../recorder';

export function createPageInfo(
  { errors, console }: Recorder,
  host: Element,
  { frameworkOf }: DetailsLoader,
): Tool {
  return async () => {
    const { activeElement, readyState, body } = document;
    const { scrollWidth, scrollHeight } = document.documentElement;
    const nothing = !activeElement || activeElement === body || activeElement === host;
    return {
      ...readPageInfo(),
      readyState,
      framework: await frameworkOf(document),
      scroll: { x: scrollX, y: scrollY, width: scrollWidth, height: scrollHeight },
      activeElement: nothing ? null : selectorOf(activeElement),
      errors,
      console,
    };
  };
}
