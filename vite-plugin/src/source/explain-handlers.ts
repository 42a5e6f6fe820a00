import { bare, isFunction, nameOf, nodesIn } from './explain-tree.ts';
import { isNode, type Position, type SyntaxNode } from './lexical.ts';

/** Where the function of an expression comes from. */
export type Origin =
  | { from: 'here'; name: string; at: Position }
  | { from: 'prop'; name: string; prop: string; at: Position }
  | { from: 'import'; name: string; module: string; exported: string; at: Position };

/** Where an expression stands: the nodes around it, and the component among them. */
export interface Scope {
  path: SyntaxNode[];
  component: SyntaxNode | null;
}

/** Only what is certain: other expressions than names lead to themselves. */
export function originOf(given: SyntaxNode, scope: Scope): Origin {
  const value = bare(given);
  if (isFunction(value)) return here(nameOf(value.id), value);
  if (value.type === 'Identifier') return ofName(value, scope) ?? here(nameOf(value), value);
  if (isMember(value)) return ofMember(value, scope) ?? here(textOf(value), value);
  const bound = value.type === 'CallExpression' ? boundFunction(value) : undefined;
  if (bound) return originOf(bound, scope);
  // Solid's `[handler, data]`.
  const [handler] = value.type === 'ArrayExpression' ? nodesIn(value.elements) : [];
  return handler ? originOf(handler, scope) : here('', value);
}

/** Whether a value is what a component was given: its props, or those that it did not take out of them. */
export function isGiven(value: SyntaxNode, scope: Scope): boolean {
  if (isPropsName(value, scope)) return true;
  const found = value.type === 'Identifier' ? declarationOf(nameOf(value), scope.path) : undefined;
  if (!found || found.key !== REST) return false;
  const { declaration, index } = found;
  if (isFunction(declaration)) return declaration === scope.component && index === 0;
  const init = isNode(declaration.init) ? bare(declaration.init) : null;
  // Solid: `const [own, rest] = splitProps(props, ['class'])`.
  const isSplit = init?.type === 'CallExpression' && nameOf(init.callee) === 'splitProps';
  const [source] = isSplit ? nodesIn(init.arguments) : [init];
  return !!source && isPropsName(source, scope);
}

/** The key of what `...rest` takes. */
const REST = '...';

const here = (name: string, { loc }: SyntaxNode): Origin => ({ from: 'here', name, at: loc.start });

const isMember = ({ type, computed }: SyntaxNode) => /MemberExpression$/.test(type) && !computed;

/** `add` of `add.bind(null, 1)`. */
function boundFunction({ callee }: SyntaxNode): SyntaxNode | undefined {
  if (!isNode(callee) || !isMember(callee) || nameOf(callee.property) !== 'bind') return undefined;
  return isNode(callee.object) ? callee.object : undefined;
}

function textOf(value: SyntaxNode): string {
  if (value.type === 'ThisExpression') return 'this';
  if (!isMember(value) || !isNode(value.object)) return nameOf(value);
  return `${textOf(value.object)}.${nameOf(value.property)}`;
}

function ofName(identifier: SyntaxNode, scope: Scope): Origin | undefined {
  const name = nameOf(identifier);
  const found = declarationOf(name, scope.path);
  if (!found) return undefined;
  const { node, declaration, key } = found;
  if (declaration.type === 'ImportDeclaration') return ofImport(name, node, declaration);
  if (isFunction(declaration) && node !== declaration) {
    const isProps = declaration === scope.component && found.index === 0 && !!key && key !== REST;
    return isProps ? { from: 'prop', name, prop: key, at: identifier.loc.start } : undefined;
  }
  if (key && key !== REST && isPropsName(declaration.init, scope))
    return { from: 'prop', name, prop: key, at: identifier.loc.start };
  return here(name, node);
}

function ofImport(name: string, specifier: SyntaxNode, declaration: SyntaxNode): Origin {
  const source = isNode(declaration.source) ? declaration.source.value : undefined;
  const exported =
    specifier.type === 'ImportDefaultSpecifier'
      ? 'default'
      : specifier.type === 'ImportNamespaceSpecifier'
        ? '*'
        : exportName(specifier.imported);
  return {
    from: 'import',
    name,
    module: typeof source === 'string' ? source : '',
    exported,
    at: specifier.loc.start,
  };
}

function exportName(value: unknown): string {
  return isNode(value) && typeof value.value === 'string' ? value.value : nameOf(value);
}

function ofMember(member: SyntaxNode, scope: Scope): Origin | undefined {
  const { object } = member;
  const name = nameOf(member.property);
  if (!isNode(object)) return undefined;
  if (isGiven(object, scope)) return { from: 'prop', name, prop: name, at: member.loc.start };
  if (object.type === 'ThisExpression') return ofClass(name, scope.path);
  if (object.type !== 'Identifier') return undefined;
  const found = declarationOf(nameOf(object), scope.path);
  if (found?.declaration.type === 'ImportDeclaration') {
    const imported = ofImport(name, found.node, found.declaration);
    return imported.from === 'import' && imported.exported === '*'
      ? { ...imported, exported: name }
      : undefined;
  }
  const init = found && isNode(found.declaration.init) ? bare(found.declaration.init) : null;
  const held =
    init?.type === 'ObjectExpression' && found?.key === null
      ? memberOf(init.properties, name)
      : null;
  return held ? here(name, held) : undefined;
}

/** `props`, and `this.props`. */
function isPropsName(value: unknown, { path, component }: Scope): boolean {
  if (!isNode(value)) return false;
  if (isMember(value))
    return (
      isNode(value.object) &&
      value.object.type === 'ThisExpression' &&
      nameOf(value.property) === 'props'
    );
  if (value.type !== 'Identifier') return false;
  const found = declarationOf(nameOf(value), path);
  return !!found && found.declaration === component && found.index === 0 && found.key === null;
}

function ofClass(name: string, path: SyntaxNode[]): Origin | undefined {
  const around = path.findLast(({ type }) => type === 'ClassBody');
  const member = around && memberOf(around.body, name);
  return member ? here(name, member) : undefined;
}

/** Of an object's properties or a class's members the one of that name. */
function memberOf(members: unknown, name: string): SyntaxNode | undefined {
  return nodesIn(members).find(({ key, computed }) => !computed && exportName(key) === name);
}

interface Declared {
  /** What stands there: the name, or the function. */
  node: SyntaxNode;
  /** The declarator, function (for its parameters) or import. */
  declaration: SyntaxNode;
  /** The property that it is taken from; null for the whole. */
  key: string | null;
  /** Which parameter. */
  index?: number;
}

/** Where a name is declared, as seen from the innermost node. */
function declarationOf(name: string, path: SyntaxNode[]): Declared | undefined {
  for (const node of [...path].reverse()) {
    const found = isFunction(node) ? inParameters(name, node) : inStatements(name, node);
    if (found) return found;
  }
  return undefined;
}

function inParameters(name: string, node: SyntaxNode): Declared | undefined {
  const parameters = nodesIn(node.params);
  for (const [index, parameter] of parameters.entries()) {
    const found = inPattern(name, parameter);
    if (found) return { ...found, declaration: node, index };
  }
  return undefined;
}

function inStatements(name: string, { type, body }: SyntaxNode): Declared | undefined {
  if (type !== 'BlockStatement' && type !== 'Program') return undefined;
  return first(nodesIn(body), (statement) =>
    inDeclaration(name, isNode(statement.declaration) ? statement.declaration : statement),
  );
}

function inDeclaration(name: string, node: SyntaxNode): Declared | undefined {
  if (/^(Function|Class)Declaration$/.test(node.type))
    return nameOf(node.id) === name ? { node, declaration: node, key: null } : undefined;
  if (node.type === 'ImportDeclaration') {
    const specifier = nodesIn(node.specifiers).find(({ local }) => nameOf(local) === name);
    return specifier && { node: specifier, declaration: node, key: null };
  }
  return first(nodesIn(node.declarations), (declaration) => {
    const found = isNode(declaration.id) ? inPattern(name, declaration.id) : undefined;
    return found && { ...found, declaration };
  });
}

type Bound = Pick<Declared, 'node' | 'key'>;

function inPattern(name: string, pattern: SyntaxNode): Bound | undefined {
  switch (pattern.type) {
    case 'Identifier':
      return pattern.name === name ? { node: pattern, key: null } : undefined;
    case 'AssignmentPattern':
      return isNode(pattern.left) ? inPattern(name, pattern.left) : undefined;
    case 'ObjectPattern':
      return first(nodesIn(pattern.properties), (property) =>
        property.type === 'RestElement'
          ? inside(name, property.argument, REST)
          : inside(name, property.value, exportName(property.key)),
      );
    case 'ArrayPattern':
      // What an array holds has no name there; its last one may be the rest of Solid's props.
      return first(nodesIn(pattern.elements), (element) =>
        inside(name, element, element === nodesIn(pattern.elements).at(-1) ? REST : ''),
      );
    default:
      return undefined;
  }
}

function inside(name: string, pattern: unknown, key: string): Bound | undefined {
  const found = isNode(pattern) ? inPattern(name, pattern) : undefined;
  return found && { node: found.node, key: found.key === null ? key : '' };
}

function first<T>(nodes: SyntaxNode[], find: (node: SyntaxNode) => T | undefined): T | undefined {
  for (const node of nodes) {
    const found = find(node);
    if (found) return found;
  }
  return undefined;
}

/** Where a module's export of that name is declared, or whose it is. */
export function exportOf(program: SyntaxNode, exported: string): Origin | undefined {
  return first(nodesIn(program.body), (statement) => {
    if (statement.type === 'ExportNamedDeclaration') return ofNamed(statement, exported, program);
    const isDefault = statement.type === 'ExportDefaultDeclaration' && exported === 'default';
    return isDefault ? ofDefault(statement, program) : undefined;
  });
}

function ofDefault({ declaration }: SyntaxNode, program: SyntaxNode): Origin | undefined {
  if (!isNode(declaration)) return undefined;
  if (declaration.type === 'FunctionDeclaration') return here(nameOf(declaration.id), declaration);
  return originOf(declaration, { path: [program], component: null });
}

function ofNamed(
  { declaration, specifiers, source }: SyntaxNode,
  exported: string,
  program: SyntaxNode,
): Origin | undefined {
  const declared = isNode(declaration) ? inDeclaration(exported, declaration) : undefined;
  if (declared) return here(exported, declared.node);
  const specifier = nodesIn(specifiers).find((each) => exportName(each.exported) === exported);
  if (!specifier) return undefined;
  if (isNode(source)) {
    const name = exportName(specifier.local);
    return {
      from: 'import',
      name,
      module: String(source.value),
      exported: name,
      at: specifier.loc.start,
    };
  }
  return isNode(specifier.local)
    ? originOf(specifier.local, { path: [program], component: null })
    : undefined;
}

/** The functions of Vue's options: `methods: { add() {} }`. */
export function methodOf(program: SyntaxNode, name: string): Origin | undefined {
  const options = nodesIn(program.body).find(({ type }) => type === 'ExportDefaultDeclaration');
  const given = options && isNode(options.declaration) ? bare(options.declaration) : undefined;
  const [object] = given?.type === 'CallExpression' ? nodesIn(given.arguments) : [given];
  const methods = object && memberOf(object.properties, 'methods');
  const method = methods && isNode(methods.value) ? memberOf(methods.value.properties, name) : null;
  return method ? here(name, method) : undefined;
}
