import { parse } from '@babel/parser';
import { parserPlugins } from '../source/lexical.ts';

/** A node of Babel's tree, with its place in the text. */
export interface CodeNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** The tree of a module, or null for one with errors: its own compiler shall tell of those. */
export function parseModule(code: string, file: string): CodeNode | null {
  const plugins = parserPlugins(file);
  try {
    const { program } = parse(code, { sourceType: 'module', attachComment: false, plugins });
    return program as unknown as CodeNode;
  } catch {
    return null;
  }
}

/** Visits every node, the outer before the inner, in the order of the text. */
export function walk(node: CodeNode, visit: (node: CodeNode) => void): void {
  visit(node);
  for (const name in node) {
    const value = node[name];
    if (isNode(value)) walk(value, visit);
    else if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) walk(item, visit);
    }
  }
}

export function isNode(value: unknown): value is CodeNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as CodeNode).type === 'string' &&
    typeof (value as CodeNode).start === 'number'
  );
}

/** The name of an identifier, or of the property that a member expression ends in. */
export function nameOf(value: unknown): string {
  if (!isNode(value)) return '';
  if (value.type === 'Identifier' || value.type === 'JSXIdentifier') return String(value.name);
  return isMember(value) && !value.computed ? nameOf(value.property) : '';
}

export function isMember({ type }: CodeNode): boolean {
  return type === 'MemberExpression' || type === 'OptionalMemberExpression';
}
