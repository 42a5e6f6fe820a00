import type { Plugin } from 'vite';
import { VITE_CLIENT } from '../inject.ts';
import type { Location } from '../source/frames.ts';

/**
 * Astro's dev toolbar takes these attributes off the elements, for itself: so they are noted when that happens. An
 * island may then make the content of its slots anew from their HTML, which has the same elements in the same order.
 */
const code = `if (typeof document !== 'undefined') {
  const FILE = 'data-astro-source-file', LOC = 'data-astro-source-loc';
  const pageside = (globalThis.__PAGESIDE__ ??= {});
  const { noted } = (pageside.astro ??= { noted: new WeakMap() });
  const note = (element, notes) => noted.set(element, { ...notes, ...noted.get(element) });
  const notesOf = (element) => noted.get(element) ??
    (element.hasAttribute(LOC) && { [FILE]: element.getAttribute(FILE), [LOC]: element.getAttribute(LOC) });
  const elementsIn = (nodes) => [...nodes].flatMap((node) =>
    node.nodeType === 1 ? [node, ...node.querySelectorAll('*')] : []);
  const madeAnew = (before, after) => {
    if (before.length !== after.length || before.some((element, at) => element.localName !== after[at].localName)) return;
    for (const [at, element] of before.entries()) if (notesOf(element)) note(after[at], notesOf(element));
  };
  new MutationObserver((changes) => {
    for (const { target, attributeName, oldValue, removedNodes, addedNodes } of changes)
      if (!attributeName) {
        if (target.localName === 'astro-slot') madeAnew(elementsIn(removedNodes), elementsIn(addedNodes));
      } else if (oldValue !== null && !target.hasAttribute(attributeName)) note(target, { [attributeName]: oldValue });
  }).observe(document, { subtree: true, childList: true, attributeOldValue: true, attributeFilter: [FILE, LOC] });
}
`;

/** Keeps where Astro says that its elements are written. */
export function astroPlugin(): Plugin {
  let isAstro = false;
  return {
    name: 'pageside:astro',
    configResolved({ plugins }) {
      isAstro = plugins.some(({ name }) => name.startsWith('astro:'));
    },
    transform: {
      filter: { id: VITE_CLIENT },
      handler(client) {
        if (!isAstro || this.environment?.config.consumer === 'server') return undefined;
        return { code: `${client}\n${code}`, map: null };
      },
    },
  };
}

/**
 * Where the tag of an element in an Astro file begins. Astro tells where its children begin, and of an element that can have none where its
 * name does; all are 1-based. The location itself, if no such tag belongs to it, and for other files.
 */
export function astroTag(location: Location, lines: readonly string[], tag: string): Location {
  if (!location.file.endsWith('.astro')) return location;
  const text = lines.join('\n');
  const told = lines.slice(0, location.line - 1).join('\n').length;
  const offset = told + (location.line > 1 ? 1 : 0) + location.column - 1;
  for (let start = text.lastIndexOf('<', offset); start >= 0; ) {
    const isTag =
      text.startsWith(tag, start + 1) && /[\s/>]/.test(text[start + 1 + tag.length] ?? '');
    if (isTag && (start >= offset - 1 || endOfTag(text, start) === offset)) {
      const before = text.slice(0, start).split('\n');
      return { ...location, line: before.length, column: (before.at(-1) ?? '').length + 1 };
    }
    start = start === 0 ? -1 : text.lastIndexOf('<', start - 1);
  }
  return location;
}

/** The offset after the `>` of an opening tag, whose attributes may hold strings and expressions with more tags. */
function endOfTag(text: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === '>' && depth === 0) return at + 1;
    else if (/["'`]/.test(char)) {
      at = text.indexOf(char, at + 1);
      if (at < 0) break;
    }
  }
  return -1;
}
