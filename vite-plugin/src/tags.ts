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

/** A component's call site may use another name than React knows it by: an alias, or the inner name of a memo. */
function matches(found: string, tag: string): boolean {
  if (found === tag) return true;
  const isComponent = (name: string) => /^[\p{Lu}_$]|\./u.test(name);
  return isComponent(found) && (tag === '' || isComponent(tag));
}
