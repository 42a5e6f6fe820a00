import { children, isNode, nameIn, parseSource, type SyntaxNode } from './lexical.ts';

/** What a module imports, exports and uses, by names: enough to follow a component from file to file. */
export interface Shape {
  imports: Import[];
  /** `export … from`; a `*` takes all names but `default`. */
  forwards: { specifier: string; imported: string; exported: string }[];
  exports: { exported: string; local: string }[];
  /** One name for what another stands for: `const Card = memo(Plain)`. */
  aliases: { alias: string; of: string }[];
  /** Custom elements, by the class that they are. */
  elements: { element: string; of: string }[];
  /** How often a tag stands in it: `Card`, `ui.Card`, `x-card`. */
  uses: Map<string, number>;
}

/** `local` is '' for an `import()` that nobody gives a name; `imported` is `*` for a namespace. */
export interface Import {
  specifier: string;
  imported: string;
  local: string;
}

const ANONYMOUS_DEFAULT = '*default*';
const MARKUP = /\.(vue|svelte|astro)$/;
/** Functions that make an element of the component that they are handed. */
const CREATORS =
  /^(createElement|h|jsxs?|jsxDEV|createVNode|createApp|createSSRApp|mount|hydrate|render)$/;
const DASHED_TAG = /<([a-z][\w.]*-[\w.-]*)(?=[\s/>])/g;

export function isMarkup(file: string): boolean {
  return MARKUP.test(file);
}

export function readShape(text: string, file: string): Shape {
  const shape: Shape = {
    imports: [],
    forwards: [],
    exports: [],
    aliases: [],
    elements: [],
    uses: new Map(),
  };
  if (/\.html?$/.test(file)) countTags(shape, text, DASHED_TAG);
  else if (isMarkup(file)) readMarkup(shape, text);
  else readProgram(shape, parseSource(text, file));
  return shape;
}

/** A single-file component: its scripts say which names the tags in the rest of it have. */
function readMarkup(shape: Shape, text: string): void {
  const scripts: string[] = [];
  const keep = (_: string, code: string) => {
    scripts.push(code);
    return '';
  };
  const template = text
    .replace(/^\s*---\r?\n([\s\S]*?)\r?\n---/, keep)
    .replace(/<script\b[^>]*>([\s\S]*?)<\/script>/g, keep)
    .replace(/<style\b[^>]*>[\s\S]*?<\/style>|<!--[\s\S]*?-->/g, '');
  readProgram(shape, parseSource(scripts.join('\n;\n'), 'script.ts'));
  countTags(shape, template, /<([A-Za-z][\w.-]*)(?=[\s/>])/g);
  countTags(
    shape,
    template,
    /<(?:component|svelte:component)\b[^>]*?\b(?:is="|this=\{)\s*([\w.]+)/g,
  );
}

function countTags({ uses }: Shape, text: string, tags: RegExp): void {
  for (const [, tag = ''] of text.matchAll(tags)) add(uses, tag);
}

function add(uses: Map<string, number>, tag: string): void {
  uses.set(tag, (uses.get(tag) ?? 0) + 1);
}

function readProgram(shape: Shape, program: SyntaxNode | null): void {
  if (program) visit(shape, program, NOTHING);
}

/** Which name an `import()` gets, and what of the module it takes. */
interface Given {
  local: string;
  imported: string;
}
const NOTHING: Given = { local: '', imported: 'default' };

function visit(shape: Shape, node: SyntaxNode, given: Given): void {
  READ[node.type]?.(shape, node, given);
  const inner =
    node.type === 'VariableDeclarator'
      ? givenBy(node)
      : /^(Function|Class|ObjectProperty)/.test(node.type)
        ? NOTHING
        : given;
  for (const child of children(node)) visit(shape, child, inner);
}

type Read = (shape: Shape, node: SyntaxNode, given: Given) => void;

const READ: Record<string, Read> = {
  ImportDeclaration({ imports }, node) {
    const specifier = textOf(node.source);
    for (const each of nodesIn(node.specifiers)) {
      const imported = { ImportDefaultSpecifier: 'default', ImportNamespaceSpecifier: '*' }[
        each.type
      ];
      const local = nameIn(each.local) ?? '';
      imports.push({ specifier, imported: imported ?? textOf(each.imported), local });
    }
  },
  ExportAllDeclaration({ forwards }, node) {
    forwards.push({ specifier: textOf(node.source), imported: '*', exported: '*' });
  },
  ExportNamedDeclaration({ forwards, exports }, node) {
    const specifier = textOf(node.source);
    for (const each of nodesIn(node.specifiers)) {
      const exported = textOf(each.exported);
      const local = textOf(each.local);
      if (specifier) forwards.push({ specifier, imported: local || '*', exported });
      else exports.push({ exported, local });
    }
    for (const local of declaredNames(node.declaration)) exports.push({ exported: local, local });
  },
  ExportDefaultDeclaration({ exports, aliases }, { declaration }) {
    const own = isNode(declaration) ? nameIn(declaration.id) : null;
    exports.push({ exported: 'default', local: own ?? ANONYMOUS_DEFAULT });
    for (const of of wrappedNames(declaration)) aliases.push({ alias: ANONYMOUS_DEFAULT, of });
  },
  VariableDeclarator({ aliases }, { id, init }) {
    const alias = nameIn(id);
    if (alias) for (const of of wrappedNames(init)) aliases.push({ alias, of });
  },
  AssignmentExpression({ aliases }, { left, right }) {
    const alias = isNode(left) && left.type === 'Identifier' ? nameIn(left) : null;
    if (alias) for (const of of wrappedNames(right)) aliases.push({ alias, of });
  },
  JSXOpeningElement({ uses }, node) {
    add(uses, textOf(node.name));
  },
  TemplateElement(shape, { value }) {
    const { raw } = value as { raw: string };
    countTags(shape, raw, DASHED_TAG);
  },
  CallExpression(shape, node, given) {
    const [first, second] = nodesIn(node.arguments);
    const callee = isNode(node.callee) ? node.callee : null;
    const called = nameIn(callee) ?? '';
    if (callee?.type === 'Import') dynamic(shape, textOf(first), given);
    else if (first && CREATORS.test(called)) add(shape.uses, textOf(first));
    else if (called === 'define' && second)
      shape.elements.push({ element: textOf(first), of: nameIn(second) ?? '' });
  },
  ImportExpression: (shape, node, given) => dynamic(shape, textOf(node.source), given),
  ClassDeclaration({ elements }, node) {
    for (const { expression } of nodesIn(node.decorators)) {
      if (!isNode(expression) || nameIn(expression.callee) !== 'customElement') continue;
      const [element] = nodesIn(expression.arguments);
      elements.push({ element: textOf(element), of: nameIn(node.id) ?? '' });
    }
  },
};

function dynamic({ imports }: Shape, specifier: string, { local, imported }: Given): void {
  imports.push({ specifier, imported, local });
}

/** What `const Card = lazy(…)` takes: `.then((ui) => ({ default: ui.Card }))` says another name than `default`. */
function givenBy({ id, init }: SyntaxNode): Given {
  if (!isNode(init) || init.type !== 'CallExpression') return NOTHING;
  return { local: nameIn(id) ?? '', imported: taken(init) ?? 'default' };
}

function taken(node: SyntaxNode): string | null {
  const { type, key, value } = node;
  if (type === 'ObjectProperty' && nameIn(key) === 'default' && isNode(value))
    return value.type === 'MemberExpression' ? nameIn(value) : null;
  for (const child of children(node)) {
    const found = taken(child);
    if (found) return found;
  }
  return null;
}

function nodesIn(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** A name, a text, or a dotted name as it is written; '' for anything else. */
function textOf(value: unknown): string {
  if (!isNode(value)) return '';
  if (/MemberExpression$/.test(value.type)) {
    const parts = [value.object, value.property].map(textOf);
    return parts.every(Boolean) ? parts.join('.') : '';
  }
  const text = value.name ?? value.value;
  return typeof text === 'string' ? text : '';
}

function declaredNames(declaration: unknown): string[] {
  if (!isNode(declaration)) return [];
  const all = [declaration, ...nodesIn(declaration.declarations)];
  return all.map(({ id }) => nameIn(id)).filter((name) => name !== null);
}

/** What is handed through to a value: `memo(Card)`, `styled(Card)`, `memo(function Card() {})`, `Card as Fancy`. */
function wrappedNames(value: unknown): string[] {
  if (!isNode(value)) return [];
  switch (value.type) {
    case 'Identifier':
      return [textOf(value)];
    case 'FunctionExpression':
    case 'ClassExpression':
      return [textOf(value.id)].filter(Boolean);
    case 'CallExpression':
      return nodesIn(value.arguments).flatMap(wrappedNames);
    case 'TaggedTemplateExpression':
      return wrappedNames(value.tag);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return wrappedNames(value.expression);
    default:
      return [];
  }
}
