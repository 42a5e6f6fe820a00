import type { DetailsLoader } from './details';
import type { Highlight } from './highlight';

const REST_MS = 80;

/** Shows what is under the pointer: the tag at once, its place when the pointer rests there. */
export function createHover(
  highlight: Highlight,
  details: DetailsLoader,
): (element: Element | null) => void {
  let current: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask(element: Element): Promise<void> {
    const { component, file, line } = await details.locate(element);
    if (current === element && file)
      highlight.element(element, element.localName, component, `${file}:${line}`);
  }
  return (element) => {
    if (element === current) return;
    current = element;
    details.prepare();
    clearTimeout(timer);
    if (!element) return highlight.hide();
    highlight.element(element, element.localName, details.now()?.ownerOf(element) ?? '');
    timer = setTimeout(ask, REST_MS, element);
  };
}
