import { parseExpression } from '@babel/parser';
import {
  children,
  contains,
  isNode,
  nameIn,
  type Position,
  parseSource,
  type SyntaxNode,
} from './lexical.ts';
import type { Source } from './sources.ts';

const TYPE_WRAPPERS = [
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
];
const SCRIPT = /(<script\b[^>]*>)([\s\S]*?)<\/script\s*>/gi;

export function nodesIn(value: unknown): SyntaxNode[] {
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

export function isFunction({ type }: SyntaxNode): boolean {
  return /^(Function(Declaration|Expression)|ArrowFunctionExpression|(Object|Class(Private)?)Method)$/.test(
    type,
  );
}

/** The nodes around a position, the program first. */
export function pathTo(program: SyntaxNode, position: Position): SyntaxNode[] {
  const path = [program];
  for (let at: SyntaxNode | undefined = program; at; ) {
    at = [...children(at)].find((child) => contains(child, position));
    if (at) path.push(at);
  }
  return path;
}

/** Without what is only said to TypeScript. */
export function bare(node: SyntaxNode): SyntaxNode {
  let at = node;
  while (TYPE_WRAPPERS.includes(at.type) && isNode(at.expression)) at = at.expression;
  return at;
}

/** An identifier's name, or the name that a member expression ends in. */
export function nameOf(value: unknown): string {
  return nameIn(value) ?? '';
}

/** The code of a file that is not all code: its `<script>`s, at their own places; null if they cannot be read. */
export function scriptsOf({ lines }: Source): SyntaxNode | null {
  const text = lines.join('\n');
  let code = '';
  let at = 0;
  for (const { index, 1: open = '', 2: script = '' } of text.matchAll(SCRIPT)) {
    const start = index + open.length;
    code += blanked(text.slice(at, start)) + script;
    at = start + script.length;
  }
  return parseSource(code + blanked(text.slice(at)), 'script.ts');
}

const blanked = (text: string) => text.replace(/[^\n]/g, ' ');

/** An expression that stands in a template; null for statements and what is none. */
export function expressionAt(text: string, { line, column }: Position): SyntaxNode | null {
  try {
    const parsed: unknown = parseExpression(text, {
      plugins: ['typescript'],
      startLine: line,
      startColumn: column,
    });
    return isNode(parsed) ? parsed : null;
  } catch {
    return null;
  }
}
