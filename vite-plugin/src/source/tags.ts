const NAME = String.raw`[\p{L}_$][\p{L}\p{N}_$.:-]*`;
const TAG_AT_START = new RegExp(`^<(${NAME})`, 'u');
const TAGS = new RegExp(`<(${NAME})`, 'gu');

export interface CheckedTag {
  column: number;
  /** The name that stands there: what the developer calls a component that React knows by another name. */
  tag?: string;
  exact: boolean;
  reason?: string;
}

/** Whether a tag really stands at a column (1-based) of a source line; where it does instead, if that is certain. */
export function checkTag(line: string, column: number, tag: string): CheckedTag {
  if (line.startsWith(NAMED_BY_EXPRESSION, column - 1)) return { column, tag, exact: true };
  const found = TAG_AT_START.exec(line.slice(column - 1))?.[1];
  if (found !== undefined && matches(found, tag)) return { column, tag: found, exact: true };
  if (found !== undefined) {
    return {
      column,
      tag: found,
      exact: false,
      reason: `The source has <${found}> here, not <${tag}>.`,
    };
  }
  // A compiler that gets the code reprinted, as esbuild from Babel with Vite 7, keeps the lines and shifts the columns.
  const [only, ...others] = [...line.matchAll(TAGS)]
    .map(({ index, 1: name = '' }) => ({ column: index + 1, tag: name, exact: true }))
    .filter((place) => matches(place.tag, tag));
  if (only && others.length === 0) return only;
  return { column, exact: false, reason: 'The source has no such tag here (any more).' };
}

/** A tag in a template whose name an expression gives. */
const NAMED_BY_EXPRESSION = '<${';
/** Tags that become what an expression says. */
const DYNAMIC = /^(component|svelte:(element|component|self))$/i;

function matches(found: string, tag: string): boolean {
  if (found === tag || DYNAMIC.test(found)) return true;
  // A component's call site may use another name than the page knows it by: an alias, the inner name of a memo, or
  // kebab-case.
  return isComponent(found) && (tag === '' || isCapitalised(tag));
}

function isComponent(name: string): boolean {
  return isCapitalised(name) || name.includes('-');
}

function isCapitalised(name: string): boolean {
  return /^[\p{Lu}_$]|\./u.test(name);
}
