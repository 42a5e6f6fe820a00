import type { ArrayExpression, Node, VariableDeclarator } from '@babel/types';
import MagicString from 'magic-string';
import { firstOf, Style } from './style.ts';
import {
  bare,
  keyName,
  type ObjectProperty,
  type Program,
  parseConfig,
  property,
  type Scope,
  span,
} from './syntax.ts';
import { below, findTargets, NotUnderstood, refuseHidden, type Target } from './targets.ts';

const PACKAGE = 'vite-plugin-pageside';
const EXPORT = 'pageside';
const CONTEXT_CHARS = 24;

/** What was inserted, with what is before and behind it in the changed text. */
export type Piece = [before: string, inserted: string, after: string];

export type Answer =
  | { status: 'edited'; code: string; pieces: Piece[] }
  | { status: 'present' }
  | { status: 'unknown'; why: string }
  | { status: 'unreadable'; why: string; line: number; column: number };

/** The config with the plugin first in `plugins`; `under` is the key of Vite's own config in that of a framework. */
export function addPlugin(code: string, file: string, under?: string): Answer {
  try {
    const { program } = parseConfig(code, file);
    const known = localName(program);
    if (known !== undefined) return present(code, known);
    const edit = new Edit(code, program);
    for (const target of findTargets(program)) edit.addTo(target, under);
    edit.addImport(isCommonJs(program, file));
    const changed = edit.done();
    parseConfig(changed, file);
    return { status: 'edited', code: changed, pieces: edit.pieces() };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Answer {
  if (error instanceof NotUnderstood) return { status: 'unknown', why: error.message };
  if (error instanceof SyntaxError && 'loc' in error) {
    const { line, column } = error.loc as { line: number; column: number };
    const why = error.message.replace(/ \(\d+:\d+\)$/, '');
    return { status: 'unreadable', why, line, column: column + 1 };
  }
  throw error;
}

class Edit {
  private readonly text: MagicString;
  private readonly style: Style;
  private readonly inserted = new Map<number, string>();
  private readonly name: string;
  private readonly program: Program;
  private readonly code: string;

  constructor(code: string, program: Program) {
    this.code = code;
    this.program = program;
    this.text = new MagicString(code);
    this.style = new Style(code, program);
    const isTaken = JSON.stringify(program).includes(`"name":"${EXPORT}"`);
    this.name = isTaken ? `${EXPORT}Plugin` : EXPORT;
  }

  addTo(target: Target, under: string | undefined): void {
    const inner = under === undefined ? target : below(target, under);
    const call = `${this.name}()`;
    if (!inner) this.addProperty(target, `${under}: { plugins: [${call}] }`);
    else this.addPlugins(inner, call);
  }

  private addPlugins(target: Target, call: string): void {
    const plugins = property(target.object, 'plugins');
    if (!plugins) {
      refuseHidden(target.object, 'plugins');
      this.addProperty(target, `plugins: [${call}]`);
      return;
    }
    const list = arrayOf(plugins.value, target.scope);
    if (list) {
      const [first] = list.elements;
      this.insert(this.style.first(span(list), first ? span(first).start : undefined, call));
    } else this.wrap(plugins, call);
  }

  private addProperty({ object }: Target, entry: string): void {
    this.insert(this.style.first(span(object), firstOf(object), entry));
  }

  /** Vite takes lists in lists, so that any other value goes on as it is. */
  private wrap({ shorthand, value }: ObjectProperty, call: string): void {
    const { start, end } = span(value);
    this.insert({ at: start, text: `${shorthand ? 'plugins: ' : ''}[${call}, ` });
    this.insert({ at: end, text: ']' });
  }

  addImport(isCommonJs: boolean): void {
    const { semicolon, newline } = this.style;
    const quoted = this.style.quoted(PACKAGE);
    const renamed = this.name !== EXPORT;
    const names = (as: string) => (renamed ? `${EXPORT}${as}${this.name}` : EXPORT);
    const line = isCommonJs
      ? `const { ${names(': ')} } = require(${quoted})${semicolon}`
      : `import { ${names(' as ')} } from ${quoted}${semicolon}`;
    const last = this.program.body.findLast(isCommonJs ? isRequire : isImport);
    const above = last ?? this.program.directives.at(-1);
    if (above) {
      this.insert({ at: endOfLine(this.code, span(above).end), text: newline + line });
    } else {
      this.insert({ at: top(this.program) ?? 0, text: `${line}${newline}${newline}` });
    }
  }

  /** The same place once only: names may lead to one object by several ways. */
  private insert({ at, text }: { at: number; text: string }): void {
    if (this.inserted.get(at) === text) return;
    this.inserted.set(at, text);
    this.text.appendLeft(at, text);
  }

  done(): string {
    return this.text.toString();
  }

  pieces(): Piece[] {
    const changed = this.done();
    let shift = 0;
    return [...this.inserted]
      .sort(([a], [b]) => a - b)
      .map(([at, text]) => {
        const start = at + shift;
        const end = start + text.length;
        shift += text.length;
        const before = changed.slice(Math.max(0, start - CONTEXT_CHARS), start);
        return [before, text, changed.slice(end, end + CONTEXT_CHARS)];
      });
  }
}

function endOfLine(code: string, at: number): number {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(code.slice(at));
  return at + (rest?.[0].length ?? 0);
}

/** Where a first import goes: below what has to be on top, above the comments of the first statement. */
function top(program: Program): number | undefined {
  const [first] = program.body;
  if (!first) return undefined;
  const comments = first.leadingComments ?? [];
  const own = comments.findIndex(({ value }) => !/^\s*@ts-|^\/|^\s*eslint|^\s*biome/.test(value));
  return span(comments[own] ?? first).start;
}

function arrayOf(node: Node, scope: Scope): ArrayExpression | undefined {
  const value = bare(node);
  if (value.type === 'ArrayExpression') return value;
  const found = value.type === 'Identifier' ? scope.find(value.name) : undefined;
  const meant = found && bare(found);
  return meant?.type === 'ArrayExpression' ? meant : undefined;
}

const isImport = (node: Node) => node.type === 'ImportDeclaration';

/** `const … = require('…')`, with or without `.name` or a call behind it. */
function isRequire(node: Node): boolean {
  return requireIn(node) !== undefined;
}

function requireIn(node: Node): VariableDeclarator | undefined {
  if (node.type !== 'VariableDeclaration') return undefined;
  return node.declarations.find(({ init }) => {
    let value: Node | null | undefined = init;
    while (value?.type === 'MemberExpression' || value?.type === 'CallExpression') {
      value = value.type === 'MemberExpression' ? value.object : value.callee;
    }
    return value != null && keyName(value) === 'require';
  });
}

function isCommonJs(program: Program, file: string): boolean {
  if (program.body.some(isImport)) return false;
  return program.sourceType === 'script' || /\.c[jt]s$/.test(file);
}

/** What the file calls the plugin, should it have it. */
function localName(program: Program): string | undefined {
  for (const each of program.body) {
    if (
      each.type === 'ImportDeclaration' &&
      each.importKind !== 'type' &&
      each.source.value === PACKAGE
    ) {
      return each.specifiers[0]?.local.name ?? '';
    }
    const made = requireIn(each);
    if (made && JSON.stringify(made.init).includes(`"${PACKAGE}"`)) {
      return made.id.type === 'Identifier' ? made.id.name : EXPORT;
    }
  }
  return undefined;
}

function present(code: string, name: string): Answer {
  const isCalled = name !== '' && new RegExp(`\\b${name}\\b\\s*(\\.\\s*\\w+\\s*)?\\(`).test(code);
  return isCalled
    ? { status: 'present' }
    : { status: 'unknown', why: 'it imports the plugin and does not use it' };
}
