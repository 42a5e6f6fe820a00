import type { Node } from '@babel/types';
import {
  bare,
  bodyOf,
  keyName,
  type ObjectExpression,
  type Program,
  property,
  returned,
  Scope,
} from './syntax.ts';

/** An object that holds `plugins`, or shall; and what names mean there. */
export interface Target {
  object: ObjectExpression;
  scope: Scope;
}

/** A config that is written in a way that is not understood, and why. */
export class NotUnderstood extends Error {}

/** How deeply names and calls are followed. */
const MAX_STEPS = 50;

/** Every object that the file may export as its config; throws `NotUnderstood`. */
export function findTargets(program: Program): Target[] {
  const scope = new Scope(program.body);
  const exported = findExport(program);
  if (!exported) throw new NotUnderstood('it exports no config');
  return objectsOf(exported, scope, 0);
}

function findExport(program: Program): Node | undefined {
  for (const statement of program.body) {
    if (statement.type === 'ExportDefaultDeclaration') return statement.declaration;
    if (statement.type === 'ExportNamedDeclaration') {
      const named = statement.specifiers.find(({ exported }) => keyName(exported) === 'default');
      if (named?.type === 'ExportSpecifier' && !statement.source) return named.local;
    }
    if (statement.type === 'TSExportAssignment') return statement.expression;
    if (statement.type === 'ExpressionStatement' && isExports(statement.expression)) {
      return statement.expression.right;
    }
  }
  return undefined;
}

/** `module.exports = …` or `exports.default = …` */
function isExports(node: Node): node is Node & { type: 'AssignmentExpression'; right: Node } {
  if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression') return false;
  const { object, property: name } = node.left;
  if (object.type !== 'Identifier') return false;
  const path = `${object.name}.${keyName(name)}`;
  return path === 'module.exports' || path === 'exports.default';
}

function objectsOf(node: Node, scope: Scope, steps: number): Target[] {
  if (steps > MAX_STEPS) throw new NotUnderstood('its names lead in a circle');
  const follow = (next: Node, inside = scope) => objectsOf(next, inside, steps + 1);
  const value = bare(node);
  switch (value.type) {
    case 'ObjectExpression':
      return [{ object: value, scope }];
    case 'Identifier': {
      const found = scope.find(value.name);
      if (!found) throw new NotUnderstood(`\`${value.name}\` is not written in this file`);
      return follow(found);
    }
    case 'ConditionalExpression':
      return [...follow(value.consequent), ...follow(value.alternate)];
    case 'CallExpression':
      return follow(configIn(value.callee, value.arguments));
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'FunctionDeclaration': {
      const body = bodyOf(value);
      const inside = body ? new Scope(body.body, scope) : scope;
      const values = returned(value);
      if (!values.length) throw new NotUnderstood('its function does not return a config');
      return values.flatMap((each) => follow(each, inside));
    }
    default:
      throw new NotUnderstood('its config is not an object that is written in this file');
  }
}

/** The argument that is the config: of `mergeConfig` and its like the last that is written out, else the first. */
function configIn(callee: Node, values: Node[]): Node {
  const name = callee.type === 'Identifier' ? callee.name : '';
  if (/^merge/i.test(name)) {
    const own = values.findLast(
      (each) => !['Identifier', 'SpreadElement'].includes(bare(each).type),
    );
    const chosen = own ?? values.at(-1);
    if (chosen) return chosen;
  }
  const [first] = values;
  if (!first || !/^define\w*Config$|^defineConfig$|Config$/.test(name)) {
    throw new NotUnderstood(`what \`${name || 'its call'}(…)\` makes is not known`);
  }
  return first;
}

/** The object below a key, as `vite` in Nuxt's config; undefined where the key is missing. */
export function below({ object, scope }: Target, key: string): Target | undefined {
  const found = property(object, key);
  if (!found) {
    refuseHidden(object, key);
    return undefined;
  }
  const [only, ...others] = objectsOf(found.value, scope, 0);
  if (!only || others.length) throw new NotUnderstood(`\`${key}\` is not one object`);
  return only;
}

/** What is spread into an object, or written as a method, might have the key too. */
export function refuseHidden(object: ObjectExpression, key: string): void {
  for (const each of object.properties) {
    if (each.type === 'SpreadElement') {
      throw new NotUnderstood(`\`${key}\` may be in what is spread into the config`);
    }
    if (each.type === 'ObjectMethod' && keyName(each.key) === key) {
      throw new NotUnderstood(`\`${key}\` is a method`);
    }
  }
}
