import { isRecord } from '../basics';
import { OVERLAY_TAG } from '../element/deep';
import { noteOf } from './created';
import { globalFor, notedFor } from './noted';
import { vnodeOf } from './preact';
import type { RawSource } from './raw';
import { keyed } from './react';
import { reasons, type Why } from './reasons';

const EXTENSION = /^(?:chrome|moz|safari-web|ms-browser)-extension:/;
const LOOKED_AT = 200;

/** Why an element has no place of its own; `around`: what is known of the nearest element that has one. */
export function causeOf(
  element: Element,
  around: (RawSource & { from: Element }) | null,
  known: string | undefined,
): Why {
  return (
    notOfTheProject(element) ??
    switchedOff(element, known ?? around?.framework) ??
    inProduction(element, known) ??
    (around ? insideOf(around, element) : reasons.server(notesAreOn(element)))
  );
}

/** What lies inside an element cannot be looked into, although the element itself has its place. */
export function limitOf(element: Element): Why | undefined {
  if (element.localName === 'iframe' && !Reflect.get(element, 'contentDocument'))
    return reasons.otherOrigin;
  const { localName, shadowRoot, childNodes, ownerDocument } = element;
  const isDefined =
    localName.includes('-') && ownerDocument.defaultView?.customElements.get(localName);
  const { width = 0, height = 0 } = element.getBoundingClientRect();
  const isDrawn = width > 0 && height > 0;
  return isDefined && isDrawn && !shadowRoot && childNodes.length === 0
    ? reasons.closed
    : undefined;
}

function notOfTheProject(element: Element): Why | undefined {
  if (element.closest(OVERLAY_TAG)) return reasons.pageside;
  const parts = [element, ...element.querySelectorAll('[src], [href]')].slice(0, LOOKED_AT);
  const urls = parts.flatMap((part) => [part.getAttribute('src'), part.getAttribute('href')]);
  const { documentElement, head, body } = element.ownerDocument;
  // Only extensions put elements beside the body; the page's root is there for all.
  const top = [...documentElement.children].find((child) => child.contains(element));
  const isBeside = top !== undefined && top !== head && top !== body;
  return isBeside || urls.some((url) => url && EXTENSION.test(url)) ? reasons.extension : undefined;
}

function switchedOff(element: Element, framework = ''): Why | undefined {
  const off = notedFor<string[]>(element, 'off');
  if (!off) return undefined;
  const isSolid = globalFor(element, 'Solid$$') !== undefined;
  const option = isSolid && off.includes('solid') ? 'solid' : off.includes(framework) && framework;
  if (option) return reasons.option(option);
  const isMarkup = ['', 'html', 'dom', 'lit', 'web-component', 'none'].includes(framework);
  return isMarkup && off.includes('markup') ? reasons.option('markup') : undefined;
}

/** `known`: the framework that rendered the element, and cannot tell where. */
function inProduction(element: Element, known: string | undefined): Why | undefined {
  if (known === 'preact' || (known === 'react' && !isDevelopmentFiber(element)))
    return reasons.production(known);
  const vue = element.closest('[data-v-app]')?.firstElementChild;
  if (vue && vue !== element.closest('[data-v-app]') && !('__vnode' in vue))
    return reasons.production('vue');
  const { body } = element.ownerDocument;
  const some = [...body.querySelectorAll('*')].slice(0, LOOKED_AT);
  const isSvelte = globalFor(element, '__svelte') !== undefined;
  return isSvelte && !some.some((each) => '__svelte_meta' in each)
    ? reasons.production('svelte')
    : undefined;
}

function insideOf({ from, framework }: RawSource & { from: Element }, element: Element): Why {
  const property = markupProperty(from, framework);
  if (property) return reasons.byProperty(property, from.localName);
  const note = noteOf(element);
  if (note) return reasons.byPackage(note.by, from.localName);
  return reasons.byScript(framework, from.localName, notesAreOn(element));
}

function isDevelopmentFiber(element: Element): boolean {
  const fiber = keyed(element, '__reactFiber$');
  return isRecord(fiber) && '_debugOwner' in fiber;
}

/** What an element is given its inner HTML by, as its framework calls it. */
function markupProperty(element: Element, framework: string): string | undefined {
  const has = (props: unknown, name: string) => isRecord(props) && name in props;
  const REACT = 'dangerouslySetInnerHTML';
  switch (framework) {
    case 'react':
      return has(keyed(element, '__reactProps$'), REACT) ? REACT : undefined;
    case 'preact':
      return has(vnodeOf(element)?.props, REACT) ? REACT : undefined;
    case 'vue': {
      const vnode: unknown = Reflect.get(element, '__vnode');
      return isRecord(vnode) && has(vnode.props, 'innerHTML') ? 'v-html' : undefined;
    }
    case 'svelte':
      return '{@html} or a script';
    default:
      return framework === 'solid' ? 'innerHTML or a script' : undefined;
  }
}

function notesAreOn(element: Element): boolean {
  return notedFor(element, 'created') !== undefined;
}
