import { bare, isFunction, nameOf } from './explain-tree.ts';
import { children, isNode, type SyntaxNode } from './lexical.ts';

/** A call of a hook, or of what makes a signal, in a component's body. */
export interface HookCall {
  hook: string;
  /** The variable that takes its value, or the first part of it; '' where there is none. */
  name: string;
}

const HOOK = /^use[A-Z]/;
const MAKER = /^create[A-Z]/;
const MAX_HOOKS = 100;

/** The calls of hooks in a component (not in the functions inside it), in the order in which they run. */
export function hooksIn(component: SyntaxNode, program: SyntaxNode): HookCall[] {
  // Under another name nobody knows them for hooks, and the others would be counted wrongly.
  if (hasRenamedHooks(program)) return [];
  const calls: HookCall[] = [];
  const visit = (node: SyntaxNode, variable: string): void => {
    if (isFunction(node) || /^Class/.test(node.type)) return;
    const given = node.type === 'VariableDeclarator' ? firstName(node.id) : '';
    const isInit = (child: SyntaxNode) => isNode(node.init) && child === node.init;
    // Arguments run before the call.
    for (const child of children(node)) {
      if (isInit(child)) visit(bare(child), given);
      else visit(child, '');
    }
    const hook = node.type === 'CallExpression' ? hookOf(node.callee) : '';
    if (hook) calls.push({ hook, name: variable });
  };
  for (const child of children(component)) visit(child, '');
  return calls.slice(0, MAX_HOOKS);
}

function hookOf(callee: unknown): string {
  const name = nameOf(callee);
  if (HOOK.test(name)) return name;
  return isNode(callee) && callee.type === 'Identifier' && MAKER.test(name) ? name : '';
}

/** `open` of `open`, and of `[open, setOpen]`. */
function firstName(id: unknown): string {
  if (!isNode(id)) return '';
  if (id.type !== 'ArrayPattern' || !Array.isArray(id.elements)) return nameOf(id);
  const [first] = id.elements;
  return isNode(first) && first.type === 'Identifier' ? nameOf(first) : '';
}

function hasRenamedHooks(program: SyntaxNode): boolean {
  return [...children(program)]
    .filter(({ type }) => type === 'ImportDeclaration')
    .flatMap((each) => [...children(each)])
    .some(({ imported, local }) => HOOK.test(nameOf(imported)) && !HOOK.test(nameOf(local)));
}
