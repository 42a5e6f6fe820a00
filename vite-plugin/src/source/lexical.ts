import { type ParserPlugin, parse } from '@babel/parser';

/** Just enough of a syntax tree to walk down to a place. */
export interface SyntaxNode {
  type: string;
  loc: { start: Position; end: Position };
  [key: string]: unknown;
}

/** 1-based line, 0-based column, as Babel counts. */
export interface Position {
  line: number;
  column: number;
}

/** Calls that hand their function through as a component, when written as `object.name(…)`. */
const WRAPPERS = ['memo', 'forwardRef', 'observer', 'lazy'];

/** Nodes whose inner function still has the name that the outer declaration gives. */
const TRANSPARENT = [
  'CallExpression',
  'ConditionalExpression',
  'LogicalExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
];

/** Files that are one component each, and no JavaScript. */
const SINGLE_FILE_COMPONENT = /([^/\\]+)\.(vue|svelte|astro)$/;

/** The component that a whole file is; null for files that are not one. */
export function componentOfFile(file: string): string | null {
  return SINGLE_FILE_COMPONENT.exec(file)?.[1] ?? null;
}

/** What may be written in a file beyond plain JavaScript, by its name. */
export function parserPlugins(file: string): ParserPlugin[] {
  const plugins: ParserPlugin[] = [
    'decorators-legacy',
    'decoratorAutoAccessors',
    'explicitResourceManagement',
  ];
  if (/\.[cm]?tsx?$/.test(file)) plugins.push('typescript');
  if (!/\.[cm]?ts$/.test(file)) plugins.push('jsx');
  return plugins;
}

export function parseSource(text: string, file: string): SyntaxNode | null {
  if (componentOfFile(file) !== null) return null;
  const plugins = parserPlugins(file);
  try {
    const { program } = parse(text, { sourceType: 'module', errorRecovery: true, plugins });
    return isNode(program) ? program : null;
  } catch {
    return null;
  }
}

/**
 * The component that a place (1-based) is written in: the innermost function or class with a capital name around it.
 * React's owner is another thing: for children and render props it is the component that renders them.
 */
export function enclosingComponent(program: SyntaxNode, line: number, column: number) {
  return enclosing(program, line, column)?.name ?? null;
}

/** Where no component is around: the innermost function that has a name. */
export function enclosingFunction(program: SyntaxNode, line: number, column: number) {
  return enclosing(program, line, column, () => true)?.name ?? null;
}

function isComponentName(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** The same, with its function or class. */
export function enclosing(
  program: SyntaxNode,
  line: number,
  column: number,
  isOne = isComponentName,
): { name: string; node: SyntaxNode } | null {
  const place = { line, column: column - 1 };
  let component: { name: string; node: SyntaxNode } | null = null;
  const visit = (node: SyntaxNode, given: string | null): void => {
    const name = isFunctionOrClass(node) ? (nameIn(node.id) ?? given) : null;
    if (name && isOne(name)) component = { name, node };
    const handedDown = nameFor(node, given);
    for (const child of children(node)) {
      if (contains(child, place)) visit(child, handedDown);
    }
  };
  visit(program, null);
  return component;
}

/** The name that a node gives to a function inside it. */
function nameFor(node: SyntaxNode, given: string | null): string | null {
  switch (node.type) {
    case 'VariableDeclarator':
      return nameIn(node.id);
    case 'AssignmentExpression':
      return nameIn(node.left);
    case 'ObjectProperty':
    case 'ClassProperty':
      return nameIn(node.key);
    default:
      return TRANSPARENT.includes(node.type) && isWrapper(node) ? given : null;
  }
}

/** False for calls like `useMemo(…)` and `items.map(…)`, whose callback is no component. */
function isWrapper(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return true;
  if (node.callee.type !== 'MemberExpression') return !/^use[A-Z]/.test(nameIn(node.callee) ?? '');
  return WRAPPERS.includes(nameIn(node.callee.property) ?? '');
}

function isFunctionOrClass({ type }: SyntaxNode): boolean {
  return /^(Function|Class)(Declaration|Expression)$|^(ArrowFunctionExpression|ObjectMethod)$/.test(
    type,
  );
}

export function nameIn(value: unknown): string | null {
  if (!isNode(value)) return null;
  if (value.type === 'Identifier' && typeof value.name === 'string') return value.name;
  return value.type === 'MemberExpression' ? nameIn(value.property) : null;
}

export function* children(node: SyntaxNode): Generator<SyntaxNode> {
  for (const value of Object.values(node)) {
    if (isNode(value)) yield value;
    else if (Array.isArray(value)) yield* value.filter(isNode);
  }
}

export function contains({ loc: { start, end } }: SyntaxNode, place: Position): boolean {
  return compare(start, place) <= 0 && compare(place, end) < 0;
}

export function compare(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value;
}
