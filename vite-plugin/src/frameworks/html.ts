import { readFile } from 'node:fs/promises';
import MagicString from 'magic-string';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { normalizePath, type Plugin } from 'vite';
import { CHANNEL } from '../contract.ts';
import { keepCompiled } from '../source/compiled.ts';
import { createMarker, relativeFile } from './marks.ts';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** Nobody can point at these, and what is in them is not in the page. */
const INVISIBLE = [
  'head',
  'script',
  'style',
  'template',
  'noscript',
  'link',
  'meta',
  'title',
  'base',
  'param',
];

/** Writes places into the tags of index.html and the other pages that Vite serves. */
export function htmlPlugin(): Plugin {
  let root = '';
  return {
    name: 'pageside:html',
    configResolved(config) {
      root = config.root;
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { filename }) {
        const authored = await readFile(filename, 'utf8').catch(() => null);
        if (authored === null) return undefined;
        keepCompiled(normalizePath(filename), authored);
        return markHtml(html, authored, relativeFile(root, filename));
      },
    },
  };
}

/**
 * The page with places in its tags. Where others have changed the file's text before, as a server that puts its
 * HTML in does, only what is the same before and after that change gets places: those in the file.
 */
export function markHtml(html: string, authored: string, file: string): string {
  const text = new MagicString(html);
  const { before, after } = sameAround(html, authored);
  const shift = authored.length - html.length;
  const inFile = createMarker(new MagicString(authored), file);
  const seen = new Set<number>();
  for (const element of elementsOf(parse(html, { sourceCodeLocationInfo: true }))) {
    const tag = element.sourceCodeLocation?.startTag ?? element.sourceCodeLocation;
    if (!tag || INVISIBLE.includes(element.tagName) || isMarked(element)) continue;
    const { startOffset: start, endOffset: end } = tag;
    const name = /^<[^\s/>]+/.exec(html.slice(start, end))?.[0];
    const place = end <= before ? start : start >= after ? start + shift : null;
    // The parser makes several elements of one tag when a page nests its tags wrongly.
    if (!name || place === null || seen.has(start)) continue;
    seen.add(start);
    text.appendLeft(start + name.length, ` ${CHANNEL.sourceAttribute}="${inFile.placeOf(place)}"`);
  }
  return text.toString();
}

function isMarked({ attrs }: Element): boolean {
  return attrs.some(({ name }) => name === CHANNEL.sourceAttribute);
}

/** `before`: up to where both texts are the same; `after`: from where on, in `html`, they are the same again. */
function sameAround(html: string, authored: string): { before: number; after: number } {
  const shortest = Math.min(html.length, authored.length);
  let before = 0;
  while (before < shortest && html[before] === authored[before]) before += 1;
  let after = 0;
  while (after < shortest - before && html.at(-1 - after) === authored.at(-1 - after)) after += 1;
  return { before, after: html.length - after };
}

function* elementsOf(node: Node): Generator<Element> {
  if ('tagName' in node && node.tagName !== 'html') yield node;
  if ('content' in node) yield* elementsOf(node.content);
  if (!('childNodes' in node) || ('tagName' in node && node.tagName === 'head')) return;
  for (const child of node.childNodes) yield* elementsOf(child);
}
