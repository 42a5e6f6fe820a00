import { stripVTControlCharacters } from 'node:util';
import { withoutQuery } from '../source/modules.ts';

const MAX_MESSAGE = 4_000;
const MAX_FRAME = 2_000;
const MAX_STACK = 2_000;

/** What went wrong in the app's code, and where as far as it is known. `file` is absolute. */
export interface Problem {
  message: string;
  file?: string;
  line?: number;
  column?: number;
  frame?: string;
  plugin?: string;
  stack?: string;
}

/** As much of Vite's and Rollup's errors as tells something. */
export interface RawError {
  message?: unknown;
  stack?: unknown;
  id?: unknown;
  frame?: unknown;
  plugin?: unknown;
  loc?: unknown;
}

/** Vite 8's compiler writes the place and the frame into its message. */
const BOXED = /^(?:\[[\w:.-]+\] )?([^\n]*)\n\s*╭─\[ (.+?):(\d+):(\d+) \][\s\S]*/m;
/** So does Vite 7's: "/app/a.ts:2:13: ERROR: Unexpected …". */
const LISTED = /^(\S.*?):(\d+):(\d+): ERROR: (.*)$/m;

export function readProblem(error: RawError): Problem {
  const message = clean(error.message, MAX_MESSAGE) || 'Unknown error';
  const own = { ...fromMessage(message), ...fromFields(error) };
  return {
    message,
    ...own,
    ...optional('plugin', clean(error.plugin, 100)),
    ...optional('stack', clean(error.stack, MAX_STACK)),
  };
}

function fromFields({ id, frame, loc }: RawError): Partial<Problem> {
  const { file, line, column } = (loc ?? {}) as Record<string, unknown>;
  const named = clean(file, MAX_MESSAGE) || clean(id, MAX_MESSAGE);
  return {
    ...optional('file', withoutQuery(named.replace(/^\0+/, ''))),
    ...(isCount(line) ? { line } : {}),
    ...(isCount(line) && isCount(column) ? { column } : {}),
    ...optional('frame', clean(frame, MAX_FRAME)),
  };
}

function fromMessage(message: string): Partial<Problem> {
  const boxed = BOXED.exec(message);
  if (boxed) {
    const [whole, title = '', file = '', line, column] = boxed;
    const frame = whole.slice(whole.indexOf('\n') + 1).trimEnd();
    return { message: title, file, line: Number(line), column: Number(column), frame };
  }
  const listed = LISTED.exec(message);
  if (!listed) return {};
  const [, file = '', line, column, title = ''] = listed;
  return { message: title, file, line: Number(line), column: Number(column) };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

function clean(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  return stripVTControlCharacters(value).replace(/^\n+/, '').trimEnd().slice(0, most);
}

function optional(name: keyof Problem, text: string): Partial<Problem> {
  return text ? { [name]: text } : {};
}
