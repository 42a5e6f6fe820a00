import { shadowHostOf } from '../element/deep';
import { type Place, sourceAttribute } from '../protocol';
import type { RawSource, SourceReader } from './raw';

const MARK = /^(.+):(\d+):(\d+)$/s;

/** Elements that have their place as an attribute: from templates, HTML pages, and servers that mark theirs. */
export const marked: SourceReader = {
  name: 'html',
  read(element) {
    const place = markOf(element);
    return place && { ...ownedByHosts(element), places: [place, ...hostPlaces(element)] };
  },
  placeOf: (element) => markOf(element),
};

export function markOf(element: Element, tag = element.localName): Place | null {
  return placeFrom(element.getAttribute(sourceAttribute) ?? '', tag, 'attribute');
}

/** `<file>:<line>:<column>`, as the plugin writes it. */
export function placeFrom(mark: string, tag: string, via: string): Place | null {
  const [, file, line, column] = MARK.exec(mark) ?? [];
  return file ? { file, line: Number(line), column: Number(column), tag, via } : null;
}

/** The hosts of the shadow roots around an element: the components that it is written in, from the inside out. */
export function hostsOf(element: Element): Element[] {
  const host = shadowHostOf(element.getRootNode());
  return host ? [host, ...hostsOf(host)] : [];
}

export function hostPlaces(element: Element): (Place | null)[] {
  return hostsOf(element).map((host) => markOf(host));
}

export function ownedByHosts(element: Element): Pick<RawSource, 'framework' | 'owners'> {
  const hosts = hostsOf(element);
  const framework = [element, ...hosts].map(kindOf).find(Boolean) ?? 'html';
  return { framework, owners: hosts.map(classOf) };
}

/** The class of a custom element; its tag when that has no name of its own. */
export function classOf(host: Element): string {
  const { name } = host.constructor;
  return !name || /^HTML\w*Element$/.test(name) ? host.localName : name;
}

function kindOf(element: Element): string | undefined {
  if (!element.localName.includes('-')) return undefined;
  return '_$litElement$' in element.constructor ? 'lit' : 'web-component';
}
