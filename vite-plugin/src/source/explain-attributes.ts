import { bare, expressionAt, nameOf, nodesIn } from './explain-tree.ts';
import { compare, isNode, type Position, type SyntaxNode } from './lexical.ts';

/** An attribute whose value is code; `value` is null where that is no single expression. */
export interface Attribute {
  name: string;
  value: SyntaxNode | null;
  /** Where the value begins. */
  at: Position;
  /** A spread after it may replace it. */
  spread: boolean;
}

/** What a spread is called among the attributes. */
export const SPREAD_NAME = '...';

/** The attributes of the JSX tag that starts at a position; null if none starts there. */
export function jsxAttributes(path: SyntaxNode[], position: Position): Attribute[] | null {
  const tag = path.find(
    ({ type, loc }) => type === 'JSXOpeningElement' && compare(loc.start, position) === 0,
  );
  if (!tag) return null;
  const all = nodesIn(tag.attributes);
  const lastSpread = all.findLastIndex(({ type }) => type === 'JSXSpreadAttribute');
  return all.flatMap((attribute, index) => {
    if (attribute.type === 'JSXSpreadAttribute') return spreadOf(attribute);
    const held = isNode(attribute.value) ? attribute.value : null;
    if (held?.type !== 'JSXExpressionContainer' || !isNode(held.expression)) return [];
    const value = bare(held.expression);
    const spread = index < lastSpread;
    return [{ name: jsxName(attribute.name), value, at: value.loc.start, spread }];
  });
}

/** As an attribute of no name. */
function spreadOf({ argument, loc }: SyntaxNode): Attribute[] {
  return isNode(argument)
    ? [{ name: SPREAD_NAME, value: argument, at: loc.start, spread: false }]
    : [];
}

function jsxName(name: unknown): string {
  if (!isNode(name)) return '';
  if (name.type === 'JSXNamespacedName') return `${jsxName(name.namespace)}:${jsxName(name.name)}`;
  return typeof name.name === 'string' ? name.name : nameOf(name);
}

/** What names an attribute whose quoted value is code. */
const CODE: Record<string, RegExp> = {
  vue: /^(@|v-on:)/,
  svelte: /^\b$/,
  html: /^on[a-z]+$/,
};
const NAME = /[^\s"'<>/=]+/y;
const SPREAD = /^(\{\s*\.\.\.|v-on$|v-bind$)/;

/** A kind of template, by what its values look like. */
export type Dialect = 'vue' | 'svelte' | 'html';

/** The attributes of the tag that starts at a position of a template. */
export function templateAttributes(
  lines: string[],
  position: Position,
  dialect: Dialect,
): Attribute[] {
  const rest = [(lines[position.line - 1] ?? '').slice(position.column)];
  const text = rest.concat(lines.slice(position.line, position.line + MAX_LINES)).join('\n');
  const written = [...scan(text)];
  const lastSpread = written.findLastIndex(({ name }) => SPREAD.test(name));
  return written.flatMap(({ name, code, value, start }, index) => {
    const isCode = code || CODE[dialect]?.test(name);
    if (!isCode || SPREAD.test(name)) return [];
    const at = positionOf(text, start, position);
    const parsed = expressionAt(value, at);
    return [{ name, value: parsed && bare(parsed), at, spread: index < lastSpread }];
  });
}

const MAX_LINES = 100;

interface Written {
  name: string;
  value: string;
  /** Offset of the value. */
  start: number;
  /** It stands in braces: `{add}`, `${this.add}`. */
  code: boolean;
}

function* scan(text: string): Generator<Written> {
  let at = /^<[^\s/>]+/.exec(text)?.[0].length ?? text.length;
  while (at < text.length) {
    at += /^[\s/]*/.exec(text.slice(at))?.[0].length ?? 0;
    const next = bracedAt(text, at) ?? namedAt(text, at);
    if (!next) return;
    if (next.name) yield next;
    at = next.end;
  }
}

type Scanned = Written & { end: number };

/** `{onclick}`, which is short for `onclick={onclick}`, and spreads. */
function bracedAt(text: string, at: number): Scanned | null {
  const brace = /^\$?\{/.exec(text.slice(at))?.[0].length;
  if (!brace) return null;
  const start = at + brace;
  const end = endOfBraces(text, start - 1);
  const value = text.slice(start, end - 1);
  const short = value.trim();
  return { name: short.startsWith('...') ? `{${short}` : short, value, start, code: true, end };
}

function namedAt(text: string, at: number): Scanned | null {
  NAME.lastIndex = at;
  const name = NAME.exec(text)?.[0];
  if (!name) return null;
  const end = at + name.length;
  const equals = /^\s*=\s*/.exec(text.slice(end))?.[0].length;
  if (!equals) return { name, value: '', start: end, code: false, end };
  return { name, ...valueAt(text, end + equals) };
}

function valueAt(text: string, at: number) {
  const quote = /^["']/.exec(text[at] ?? '')?.[0];
  const open = quote ? at + 1 : at;
  const brace = /^\$?\{/.exec(text.slice(open))?.[0];
  if (brace) {
    const start = open + brace.length;
    const end = endOfBraces(text, start - 1);
    const isWhole = !quote || text[end] === quote;
    const after = quote ? text.indexOf(quote, end) + 1 || text.length : end;
    return { value: text.slice(start, end - 1), start, code: isWhole, end: after };
  }
  if (quote) {
    const end = text.indexOf(quote, open);
    const close = end < 0 ? text.length : end;
    return { value: text.slice(open, close), start: open, code: false, end: close + 1 };
  }
  const value = /^[^\s>]*/.exec(text.slice(open))?.[0] ?? '';
  return { value, start: open, code: false, end: open + value.length };
}

const TOKEN =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*|[{}]/g;

/** After the brace that closes the one at `at`; braces in strings and comments are no braces. */
function endOfBraces(text: string, at: number): number {
  let depth = 0;
  for (const { 0: token, index } of text.slice(at).matchAll(TOKEN)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return at + index + 1;
  }
  return text.length;
}

function positionOf(text: string, offset: number, from: Position): Position {
  const before = text.slice(0, offset).split('\n');
  const last = before.at(-1) ?? '';
  return {
    line: from.line + before.length - 1,
    column: before.length === 1 ? from.column + last.length : last.length,
  };
}
