import path from 'node:path';
import { normalizePath, type ViteDevServer } from 'vite';
import {
  type Attribute,
  type Dialect,
  jsxAttributes,
  SPREAD_NAME,
  templateAttributes,
} from './explain-attributes.ts';
import {
  exportOf,
  isGiven,
  methodOf,
  type Origin,
  originOf,
  type Scope,
} from './explain-handlers.ts';
import { type HookCall, hooksIn } from './explain-hooks.ts';
import { pathTo, scriptsOf } from './explain-tree.ts';
import { enclosing, type Position, type SyntaxNode } from './lexical.ts';
import { importedFile } from './modules.ts';
import type { Source } from './sources.ts';

/** A function that an attribute hands over, and where that function is written; see `WrittenAttribute` of the page. */
export interface WrittenAttribute {
  attribute: string;
  name: string;
  /** Relative to the project; '' where it is not known. */
  file: string;
  line: number;
  column: number;
  prop?: string;
  spread?: true;
}

/** What is written at a place besides its tag. */
export interface Explained {
  hooks?: HookCall[];
  attributes?: WrittenAttribute[];
}

type Import = Origin & { from: 'import' };
type ReadSource = (file: string) => Source | null;

const DIALECTS: Record<string, Dialect> = {
  '.vue': 'vue',
  '.svelte': 'svelte',
  '.astro': 'svelte',
  '.html': 'html',
};
const MAX_ATTRIBUTES = 50;
/** A file may export what another one does. */
const RE_EXPORTS = 4;

/** Tells the hooks of the component around a tag (1-based place), and the functions in its attributes. */
export function createExplainer(
  server: ViteDevServer,
  projectRoot: string,
  readSource: ReadSource,
): (source: Source, file: string, place: Position) => Promise<Explained> {
  const codeOf = createCode();
  const located = (file: string, { line, column }: Position) => ({
    file: normalizePath(path.relative(projectRoot, file)),
    line,
    column: column + 1,
  });

  /** What one file takes from another, there; null where it is not the project's. */
  async function follow({ module, exported }: Import, importer: string) {
    const file = await importedFile(server.environments.client, module, importer);
    if (!file || file.startsWith('\0') || file.includes('/node_modules/')) return null;
    const source = readSource(file);
    const program = source && codeOf(source, file);
    const origin = program && exportOf(program, exported);
    return origin ? { origin, file } : null;
  }
  async function imported(from: Import, importer: string) {
    let at = await follow(from, importer);
    for (let step = 0; at?.origin.from === 'import' && step < RE_EXPORTS; step += 1)
      at = await follow(at.origin, at.file);
    if (at?.origin.from !== 'here') return null;
    return { name: at.origin.name || from.name, ...located(at.file, at.origin.at) };
  }
  async function written(
    attribute: Attribute,
    scope: Scope,
    file: string,
  ): Promise<WrittenAttribute> {
    const origin = originOfAttribute(attribute, scope);
    // Of a package, or of what cannot be followed: where it is imported.
    const there = origin.from === 'import' ? await imported(origin, file) : null;
    return {
      attribute: attribute.name,
      name: origin.name,
      ...located(file, origin.at),
      ...there,
      ...(origin.from === 'prop' && { prop: origin.prop }),
      ...(attribute.spread && { spread: true }),
    };
  }

  return async (source, file, place) => {
    const program = codeOf(source, file);
    const { attributes, scope } = lookAt(source, program, file, place);
    const { component } = scope;
    const hooks = component && program ? hooksIn(component, program) : [];
    const told = await Promise.all(
      attributes.slice(0, MAX_ATTRIBUTES).map((attribute) => written(attribute, scope, file)),
    );
    return { ...(hooks.length > 0 && { hooks }), ...(told.length > 0 && { attributes: told }) };
  };
}

/** The code in a file: all of it, or that of its scripts. */
function createCode() {
  const programs = new WeakMap<Source, SyntaxNode | null>();
  return (source: Source, file: string): SyntaxNode | null => {
    if (!DIALECTS[path.extname(file)]) return source.program();
    const known = programs.get(source);
    if (known !== undefined) return known;
    const program = scriptsOf(source);
    programs.set(source, program);
    return program;
  };
}

function lookAt(
  { lines }: Source,
  program: SyntaxNode | null,
  file: string,
  { line, column }: Position,
): { attributes: Attribute[]; scope: Scope } {
  const position = { line, column: column - 1 };
  const dialect = DIALECTS[path.extname(file)];
  const around = !program ? [] : dialect ? [program] : pathTo(program, position);
  const component = program && !dialect ? enclosing(program, line, column) : null;
  const jsx = dialect ? null : jsxAttributes(around, position);
  return {
    attributes: jsx ?? templateAttributes(lines, position, dialect ?? 'html'),
    scope: { path: around, component: component?.node ?? null },
  };
}

function originOfAttribute({ name, value, at }: Attribute, scope: Scope): Origin {
  const nowhere: Origin = { from: 'here', name: '', at };
  if (!value) return nowhere;
  if (name === SPREAD_NAME)
    return isGiven(value, scope) ? { ...nowhere, from: 'prop', prop: SPREAD_NAME } : nowhere;
  const origin = originOf(value, scope);
  const isItself = origin.from === 'here' && origin.at === value.loc.start;
  const [program] = scope.path;
  return (isItself && program && methodOf(program, origin.name)) || origin;
}
