import { CHANNEL } from '../contract.ts';
import {
  assignedMarkup,
  literalsIn,
  type Part,
  type Piece,
  partsOf,
  templateParts,
} from './literals.ts';
import type { Marker } from './marks.ts';
import { createMarkupScanner, type Tag } from './markup.ts';
import { type CodeNode, isNode, nameOf, walk } from './syntax.ts';

const TAGS = /^(?:html|svg|mathml)$/;
/** A cheap look at a text before it is parsed. */
const MARKUP =
  /\b(?:html|svg|mathml)(?:\s*[`<]|\s+as\s)|\b(?:inner|outer)HTML\b|\b(?:insertAdjacentHTML|createContextualFragment|setHTMLUnsafe)\b/;
/** Nobody can point at these. */
const INVISIBLE = /^(?:script|style|template|slot|noscript|head|html|meta|link|title|base|param)$/i;

/** What goes on after a name that an expression gave: as in `<${tag} class="…">`, not `<${tag}-${size}>` or `1 <${two} or`. */
const RESTS = [/^(?:[\s/][^<>]*)?>/, /^\s[^<>]*=\s*["']?$/];

export function hasMarkup(code: string): boolean {
  return MARKUP.test(code) && code.includes('<');
}

/** Writes places into the tags of `html` and `svg` templates, and of literals that become `innerHTML`. */
export function markTemplates(program: CodeNode, marker: Marker): void {
  const renamed = aliases(program);
  walk(program, (node) => {
    if (node.type !== 'TaggedTemplateExpression' || !isNode(node.quasi)) return;
    const name = nameOf(node.tag);
    if (TAGS.test(name) || renamed.includes(name))
      markParts(templateParts(node.quasi), marker, false);
  });
  for (const literal of assignedMarkup(program)) markLiteral(literal, marker);
}

/** Other names for the tags in this module: `import { html as staticHtml } …`. */
function aliases({ body }: CodeNode): string[] {
  const imports = (body as CodeNode[]).filter(({ type }) => type === 'ImportDeclaration');
  return imports
    .flatMap(({ specifiers }) => specifiers as CodeNode[])
    .filter(({ imported }) => TAGS.test(nameOf(imported)))
    .map(({ local }) => nameOf(local));
}

function markLiteral(literal: CodeNode, marker: Marker): void {
  markParts(partsOf(literal) ?? [], marker, true);
}

/** `nested`: literals in expressions between elements become markup as well. */
function markParts(parts: Part[], marker: Marker, nested: boolean): void {
  const scanner = createMarkupScanner();
  /** Where a tag starts whose name the last expression gave. */
  let nameless: number | null = null;

  function markPiece({ start: offset, end, quote }: Piece, isLast: boolean): void {
    const piece = marker.code.slice(offset, end);
    const goesOn = RESTS.some((rest) => rest.test(piece));
    if (nameless !== null && goesOn) marker.mark(nameless, offset, quote);
    const tags = scanner.read(piece);
    const open = isLast ? undefined : tags.find((tag) => tag.open);
    nameless = open?.name === '' ? offset + open.start : null;
    for (const tag of tags)
      if (tag !== open && isMarkable(tag, piece))
        marker.mark(offset + tag.start, offset + tag.nameEnd, quote);
  }
  for (const part of parts) {
    if (!('expression' in part)) markPiece(part, part === parts.at(-1));
    else if (scanner.hole() && nested)
      for (const literal of literalsIn(part.expression)) markLiteral(literal, marker);
  }
}

function isMarkable({ name, start, nameEnd }: Tag, piece: string): boolean {
  if (name === '' || INVISIBLE.test(name)) return false;
  const own = new RegExp(`^[^>]*\\s${CHANNEL.sourceAttribute}\\s*=`);
  return !own.test(piece.slice(start, piece.indexOf('>', nameEnd) + 1 || undefined));
}
