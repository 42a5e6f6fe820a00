// What the page's own code may register; checked where it is registered, and again where it is read.
import { attempt, isRecord, messageOf } from '../basics';

export interface PageTool {
  /** Letters, digits, `_`, `.` and `-`; begins with a letter. */
  name: string;
  description: string;
  /** JSON Schema (2020-12) of the arguments: an object. */
  inputSchema?: object;
  /** Its result is the agent's answer; it may be a promise. The signal ends with the agent's call. */
  handler(args: Record<string, unknown>, call: { signal: AbortSignal }): unknown;
  /** It changes nothing. */
  readOnly?: boolean;
}

export const MAX_TOOLS = 50;
const MAX_SCHEMA_CHARS = 8192;
const MAX_SCHEMA_DEPTH = 24;
const MAX_DESCRIPTION_CHARS = 1000;
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** What is wrong with it, in words for its author; '' for nothing. */
export function problemOf(tool: unknown): string {
  try {
    return found(tool);
  } catch (error) {
    return `it cannot be read: ${messageOf(error)}`;
  }
}

function found(tool: unknown): string {
  if (!isRecord(tool)) return 'it is no object';
  const { name, description, handler, inputSchema = {} } = tool;
  if (typeof name !== 'string' || !NAME.test(name))
    return `'name' has to match ${NAME.source}, and is ${shown(name)}`;
  if (typeof description !== 'string' || !description.trim())
    return "'description' has to say what it does";
  if (description.length > MAX_DESCRIPTION_CHARS)
    return `'description' has ${description.length} characters; the limit is ${MAX_DESCRIPTION_CHARS}`;
  if (typeof handler !== 'function') return "'handler' has to be a function";
  return ofSchema(inputSchema);
}

function ofSchema(schema: unknown): string {
  if (!isRecord(schema)) return "'inputSchema' has to be a JSON Schema object";
  if ((schema.type ?? 'object') !== 'object')
    return "'inputSchema' has to describe an object (type: 'object')";
  const size = JSON.stringify(schema).length;
  if (size > MAX_SCHEMA_CHARS)
    return `'inputSchema' has ${size} characters; the limit is ${MAX_SCHEMA_CHARS}`;
  if (depthOf(schema) > MAX_SCHEMA_DEPTH)
    return `'inputSchema' is nested more than ${MAX_SCHEMA_DEPTH} deep`;
  return '';
}

/** Only of what JSON.stringify went through: there are no cycles. */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const shown = (value: unknown) =>
  attempt(() => JSON.stringify(value)?.slice(0, 80)) ?? typeof value;
