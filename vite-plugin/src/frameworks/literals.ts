import { type CodeNode, isMember, isNode, nameOf, walk } from './syntax.ts';

/** A piece of markup as it stands in the text; `quote` is what a mark in it may use. */
export interface Piece {
  start: number;
  end: number;
  quote: '"' | "'";
}

/** A piece, or an expression between two of them. */
export type Part = Piece | { expression: CodeNode };

/** The pieces of a template, a string, or several of them added together; null for anything else. */
export function partsOf(node: CodeNode): Part[] | null {
  const inner = unwrapped(node);
  if (inner.type === 'StringLiteral') {
    // Written with double quotes, a mark in it must have single ones.
    const quote = inner.extra && isDouble(inner.extra) ? "'" : '"';
    return [{ start: inner.start + 1, end: inner.end - 1, quote }];
  }
  if (inner.type === 'TemplateLiteral') return templateParts(inner);
  if (inner.type !== 'BinaryExpression' || inner.operator !== '+') return null;
  const [left, right] = [inner.left, inner.right].filter(isNode);
  if (!left || !right) return null;
  const [before, after] = [partsOf(left), partsOf(right)];
  if (!before && !after) return null;
  return [...(before ?? [{ expression: left }]), ...(after ?? [{ expression: right }])];
}

export function templateParts({ quasis, expressions }: CodeNode): Part[] {
  const holes = nodes(expressions);
  return nodes(quasis).flatMap(({ start, end }, index): Part[] => {
    const expression = holes[index];
    const piece: Part = { start, end, quote: '"' };
    return expression ? [piece, { expression }] : [piece];
  });
}

/**
 * The literals that an expression gives its value from: through `?:`, `&&`, `+`, and lists that are mapped and joined.
 * Functions called by name are not followed, since they may be used for other things than markup.
 */
export function literalsIn(expression: CodeNode): CodeNode[] {
  const node = unwrapped(expression);
  if (partsOf(node)) return [node];
  const { type } = node;
  if (type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(inside);
  if (type === 'LogicalExpression') return [node.left, node.right].flatMap(inside);
  if (type === 'ArrayExpression') return nodes(node.elements).flatMap(literalsIn);
  if (type !== 'CallExpression' || !isNode(node.callee) || !isMember(node.callee)) return [];
  const [first] = nodes(node.arguments);
  const called = nameOf(node.callee);
  if (/^(?:join|trim|concat|filter|reverse|toReversed|slice)$/.test(called))
    return inside(node.callee.object);
  return /^(?:map|flatMap)$/.test(called) && first ? results(first) : [];
}

/** What a function written in place returns. */
function results(callback: CodeNode): CodeNode[] {
  if (!isNode(callback.body)) return [];
  const { body } = callback;
  if (body.type !== 'BlockStatement') return literalsIn(body);
  const found: CodeNode[] = [];
  const visit = (node: CodeNode, inner: boolean) => {
    if (inner && /Function|Class|ObjectMethod/.test(node.type)) return;
    if (node.type === 'ReturnStatement' && isNode(node.argument)) {
      found.push(...literalsIn(node.argument));
      return;
    }
    for (const value of Object.values(node)) for (const each of nodes(value)) visit(each, true);
  };
  visit(body, false);
  return found;
}

const WRAPPERS =
  /^(?:ParenthesizedExpression|TS(?:As|Satisfies|NonNull)Expression|TSTypeAssertion)$/;

function unwrapped(node: CodeNode): CodeNode {
  return WRAPPERS.test(node.type) && isNode(node.expression) ? unwrapped(node.expression) : node;
}

function inside(value: unknown): CodeNode[] {
  return isNode(value) ? literalsIn(value) : [];
}

function nodes(value: unknown): CodeNode[] {
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

function isDouble(extra: unknown): boolean {
  return String((extra as { raw?: unknown }).raw).startsWith('"');
}

/** Every expression whose value the page parses as HTML: assigned to `innerHTML`, given to `insertAdjacentHTML`. */
export function assignedMarkup(program: CodeNode): CodeNode[] {
  const found: CodeNode[] = [];
  walk(program, (node) => {
    if (node.type === 'AssignmentExpression' && isMarkupProperty(node.left)) {
      found.push(...inside(node.right));
    } else if (isMarkupCall(node)) {
      found.push(...inside(nodes(node.arguments).at(-1)));
    }
  });
  return found;
}

function isMarkupProperty(target: unknown): boolean {
  return isNode(target) && isMember(target) && /^(?:inner|outer)HTML$/.test(nameOf(target));
}

function isMarkupCall({ type, callee }: CodeNode): boolean {
  if (!/^(?:Optional)?CallExpression$/.test(type) || !isNode(callee) || !isMember(callee))
    return false;
  return /^(?:insertAdjacentHTML|createContextualFragment|setHTMLUnsafe)$/.test(nameOf(callee));
}
