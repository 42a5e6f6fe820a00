import { parse } from '@babel/parser';

/** A call of the JSX runtime in served code, with the source place that it hands over. */
export interface JsxCall {
  tag: string;
  /** Where the call itself is, 1-based: what a stack frame names. */
  frame: { line: number; column: number };
  /** The runtime's `source` argument; undefined in code that was compiled for production. */
  source: { line: number; column: number } | undefined;
}

interface Node {
  type: string;
  [key: string]: unknown;
}

/** Every element that the code will make. */
export function jsxCalls(code: string, callee: RegExp): JsxCall[] {
  const calls: JsxCall[] = [];
  const visit = (node: Node): void => {
    if (node.type === 'CallExpression' && callee.test(text(node.callee))) calls.push(toCall(node));
    Object.values(node).flat().filter(isNode).forEach(visit);
  };
  const text = (value: unknown): string => {
    const { start, end } = value as { start: number; end: number };
    return code.slice(start, end);
  };
  const toCall = (node: Node): JsxCall => {
    const [type, , , , source] = node.arguments as Node[];
    const { start } = node.loc as { start: { line: number; column: number } };
    return {
      tag: text(type).replace(/^"(.*)"$/, '$1'),
      frame: { line: start.line, column: start.column + 1 },
      source: source && sourceOf(text(source)),
    };
  };
  visit(parse(code, { sourceType: 'module' }).program as unknown as Node);
  return calls;
}

function sourceOf(text: string) {
  const [, line, column] = /lineNumber: (\d+),\s*columnNumber: (\d+)/.exec(text) ?? [];
  return { line: Number(line), column: Number(column) };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
