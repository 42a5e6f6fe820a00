import { isRecord } from '../basics';

/** A global of the element's page: each frame has its own. */
export function globalFor(element: Element, name: string): unknown {
  return Reflect.get(element.ownerDocument.defaultView ?? globalThis, name);
}

/** What the plugin's code in the page keeps under a name of its own; undefined where there is none. */
export function notedFor<T extends object>(element: Element, name: string): T | undefined {
  const pageside = globalFor(element, '__PAGESIDE__');
  const noted = isRecord(pageside) ? pageside[name] : undefined;
  return typeof noted === 'object' && noted ? (noted as T) : undefined;
}
