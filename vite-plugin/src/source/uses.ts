import type { Shape } from './shape.ts';

/** What follows components through the project's files. */
export interface Project {
  shapeOf(file: string): Shape | null;
  importersOf(file: string): string[];
  /** The file that a specifier in a file means, or null. */
  resolve(specifier: string, importer: string): Promise<string | null>;
}

/** How often each file uses a component; files that do not are left out. */
export type Uses = Map<string, number>;

/** More files than this are not read for one answer. */
const MAX_FILES = 1_000;

/** Follows a component (null: what the file exports by default) by the names that it is imported under. */
export async function findUses(
  project: Project,
  file: string,
  component: string | null,
): Promise<Uses> {
  const uses: Uses = new Map();
  const own = project.shapeOf(file);
  if (!own) return uses;
  const locals = aliasesOf(own, component ? [component] : []);
  note(uses, file, countIn(own, locals, [], NONE));
  const isFresh = createFilter();
  const names = component ? exportsOf(own, locals) : new Set(['default']);
  const queue = [{ target: file, names: isFresh(file, names) }];
  // Grows while it is walked: what hands a component on has importers of its own.
  for (const { target, names } of queue) {
    if (names.size === 0 || queue.length > MAX_FILES) continue;
    for (const importer of project.importersOf(target)) {
      const handedOn = await follow(project, importer, target, names, uses);
      queue.push({ target: importer, names: isFresh(importer, handedOn) });
    }
  }
  return uses;
}

const NONE: ReadonlySet<string> = new Set();

/** Of a file's names those that were not asked for before: modules may import each other. */
function createFilter() {
  const done = new Set<string>();
  return (file: string, names: ReadonlySet<string>) =>
    new Set(
      [...names].filter((name) => {
        const key = `${file}:${name}`;
        return !done.has(key) && done.add(key);
      }),
    );
}

/** Counts the uses in a file; returns the names under which it hands the component on. */
async function follow(
  project: Project,
  importer: string,
  target: string,
  names: ReadonlySet<string>,
  uses: Uses,
): Promise<ReadonlySet<string>> {
  const shape = project.shapeOf(importer);
  if (!shape) return NONE;
  const bound = await bindings(project, shape, importer, target, names);
  note(uses, importer, bound.dynamic + countIn(shape, bound.locals, bound.spaces, names));
  return bound.handedOn;
}

interface Bound {
  locals: Set<string>;
  /** Local names of the whole module. */
  spaces: string[];
  /** Imports that get no name: a route's, for example. */
  dynamic: number;
  /** The names under which it is exported once more. */
  handedOn: Set<string>;
}

async function bindings(
  { resolve }: Project,
  shape: Shape,
  importer: string,
  target: string,
  names: ReadonlySet<string>,
): Promise<Bound> {
  const leads = async ({ specifier }: { specifier: string }) =>
    (await resolve(specifier, importer)) === target;
  const imports = await filtered(
    shape.imports.filter(({ imported }) => imported === '*' || names.has(imported)),
    leads,
  );
  const named = imports.filter(({ imported, local }) => imported !== '*' && local);
  const locals = aliasesOf(
    shape,
    named.map(({ local }) => local),
  );
  const handedOn = exportsOf(shape, locals);
  for (const { imported, exported } of await filtered(shape.forwards, leads)) {
    if (imported !== '*') {
      if (names.has(imported)) handedOn.add(exported);
    } else if (exported === '*')
      for (const name of names) if (name !== 'default') handedOn.add(name);
  }
  return {
    locals,
    spaces: imports.filter(({ imported }) => imported === '*').map(({ local }) => local),
    dynamic: imports.filter(({ local }) => !local).length,
    handedOn,
  };
}

async function filtered<Value>(
  values: Value[],
  check: (value: Value) => Promise<boolean>,
): Promise<Value[]> {
  const fits = await Promise.all(values.map(check));
  return values.filter((_, index) => fits[index]);
}

/** These names and all that stand for the same. */
function aliasesOf({ aliases }: Shape, names: string[]): Set<string> {
  const all = new Set(names);
  // Grows while it is walked.
  for (const name of all) for (const { alias, of } of aliases) if (of === name) all.add(alias);
  return all;
}

function exportsOf({ exports }: Shape, locals: ReadonlySet<string>): Set<string> {
  return new Set(exports.filter(({ local }) => locals.has(local)).map(({ exported }) => exported));
}

function countIn(
  { uses }: Shape,
  locals: ReadonlySet<string>,
  spaces: string[],
  names: ReadonlySet<string>,
): number {
  const members = spaces.flatMap((space) => [...names].map((name) => `${space}.${name}`));
  const tags = new Set([...[...locals].flatMap(namesInTags), ...members]);
  return [...tags].reduce((sum, tag) => sum + (uses.get(tag) ?? 0), 0);
}

/** As templates may write it: `DishCard` is `<dish-card>` too, but `Button` is no `<button>`. */
function namesInTags(local: string): string[] {
  const kebab = local.replace(/\B([A-Z])/g, '-$1').toLowerCase();
  return kebab.includes('-') ? [local, kebab] : [local];
}

/** How often each of these files has one of a custom element's tags. */
export function findElementUses(
  shapes: Iterable<[file: string, shape: Shape]>,
  tags: string[],
): Uses {
  const uses: Uses = new Map();
  for (const [file, shape] of shapes)
    note(
      uses,
      file,
      tags.reduce((sum, tag) => sum + (shape.uses.get(tag) ?? 0), 0),
    );
  return uses;
}

/** The custom elements that a component's file makes of its class. */
export function elementsOf({ elements }: Shape, component: string): string[] {
  return elements.filter(({ of }) => of === component).map(({ element }) => element);
}

function note(uses: Uses, file: string, count: number): void {
  if (count > 0) uses.set(file, (uses.get(file) ?? 0) + count);
}
