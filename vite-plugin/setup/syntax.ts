import { parse } from '@babel/parser';
import type {
  BlockStatement,
  Expression,
  File,
  Function as FunctionNode,
  Node,
  ObjectExpression,
  ObjectProperty,
  Program,
  Statement,
} from '@babel/types';

export type { Expression, ObjectExpression, ObjectProperty, Program, Statement };

interface Place {
  start?: number | null | undefined;
  end?: number | null | undefined;
}

/** A node of a text that was parsed, whose places are therefore known. */
export function span(node: Place): { start: number; end: number } {
  return { start: node.start ?? 0, end: node.end ?? 0 };
}

export function parseConfig(code: string, file: string): File {
  const isTypeScript = /\.[cm]?ts$/.test(file);
  return parse(code, {
    sourceType: 'unambiguous',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    plugins: isTypeScript ? ['typescript'] : [],
  });
}

/** Without types, parentheses and `await` around it. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'ParenthesizedExpression':
      return bare(node.expression);
    case 'AwaitExpression':
      return bare(node.argument);
    default:
      return node;
  }
}

/** What names stand for: those of the file, and of the functions around a place. */
export class Scope {
  private readonly statements: Statement[];
  private readonly outer: Scope | undefined;

  constructor(statements: Statement[], outer?: Scope) {
    this.statements = statements;
    this.outer = outer;
  }

  /** The value or the function that a name was declared with. */
  find(name: string): Node | undefined {
    for (const statement of this.statements) {
      const found = declared(statement, name);
      if (found) return found;
    }
    return this.outer?.find(name);
  }
}

function declared(statement: Statement, name: string): Node | undefined {
  const bareStatement =
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (bareStatement?.type === 'FunctionDeclaration' && bareStatement.id?.name === name) {
    return bareStatement;
  }
  if (bareStatement?.type !== 'VariableDeclaration') return undefined;
  const found = bareStatement.declarations.find(
    ({ id }) => id.type === 'Identifier' && id.name === name,
  );
  return found?.init ?? undefined;
}

/** What a function returns, each `return` of its own; none where one returns nothing. */
export function returned(fn: FunctionNode): Node[] {
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const found: (Node | null | undefined)[] = [];
  collectReturns(fn.body, found);
  const values = found.filter((value) => value != null);
  return values.length === found.length ? values : [];
}

function collectReturns(node: Node, found: (Node | null | undefined)[]): void {
  if (node.type === 'ReturnStatement') found.push(node.argument);
  else for (const statement of inner(node)) collectReturns(statement, found);
}

/** The statements in a statement, not those in functions. */
function inner(node: Node): Node[] {
  switch (node.type) {
    case 'BlockStatement':
      return node.body;
    case 'IfStatement':
      return node.alternate ? [node.consequent, node.alternate] : [node.consequent];
    case 'TryStatement':
      return [node.block, node.handler?.body, node.finalizer].filter((each) => each != null);
    case 'SwitchStatement':
      return node.cases.flatMap((each) => each.consequent);
    default:
      return [];
  }
}

export function bodyOf(fn: FunctionNode): BlockStatement | undefined {
  return fn.body.type === 'BlockStatement' ? fn.body : undefined;
}

/** The property of that name, unless it is written as a method. */
export function property(object: ObjectExpression, name: string): ObjectProperty | undefined {
  return object.properties.find(
    (each): each is ObjectProperty =>
      each.type === 'ObjectProperty' && !each.computed && keyName(each.key) === name,
  );
}

export function keyName(key: Node): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'StringLiteral' ? key.value : undefined;
}
