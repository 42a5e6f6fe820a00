import { attempt, isRecord, messageOf } from '../basics';
import type { Tool } from '../calls';
import { ToolError } from '../failure';
import { toolsSymbol } from '../protocol';
import { executionError } from '../tools/run-script';
import { toResult, typeOf } from '../tools/serialise';
import { MAX_TOOLS, type PageTool, problemOf } from './rules';
import { mismatch } from './validate';

/** What the page's own code offers: lists it, and calls one of it. */
export const pageTools = {
  list_tools: async () => ({ tools: read().map(shown) }),
  call_tool: async ({ name, arguments: args = {} }, signal) => {
    const tools = read();
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw unknown(String(name), tools);
    check(tool, args);
    const value = await run(tool, args as Record<string, unknown>, signal);
    return { value: toResult(value), type: typeOf(value) };
  },
} satisfies Record<string, Tool>;

const told = new WeakSet<object>();

/** The valid ones, of each name the last. */
function read(): PageTool[] {
  const given = attempt(() => [
    ...((globalThis as Record<symbol, unknown>)[Symbol.for(toolsSymbol)] as unknown[]),
  ]);
  const tools = new Map<string, PageTool>();
  for (const each of given ?? []) {
    const problem = problemOf(each);
    if (problem) warn(each, problem);
    else tools.set((each as PageTool).name, each as PageTool);
  }
  return [...tools.values()].slice(0, MAX_TOOLS);
}

/** Once, to who has written it. */
function warn(tool: unknown, problem: string): void {
  if (typeof tool === 'object' && tool) {
    if (told.has(tool)) return;
    told.add(tool);
  }
  console.warn(`[pageside] A tool of this page is left out: ${problem}.`);
}

function shown({
  name,
  description,
  inputSchema = { type: 'object' },
  readOnly,
}: PageTool): object {
  const schema: unknown = JSON.parse(JSON.stringify(inputSchema));
  return { name, description, inputSchema: schema, ...(readOnly === true && { readOnly }) };
}

function unknown(name: string, tools: PageTool[]): ToolError {
  const names = tools.map((each) => each.name).join(', ') || 'none';
  return new ToolError('PAGE_TOOL_NOT_FOUND', `The page has no tool '${name}'. It has: ${names}.`);
}

function check({ name, inputSchema }: PageTool, args: unknown): void {
  if (!isRecord(args)) throw invalid(`${name}: 'arguments' has to be an object.`);
  const schema = JSON.parse(JSON.stringify(inputSchema ?? {}));
  let problem: string;
  try {
    problem = mismatch(args, schema);
  } catch (error) {
    problem = `the tool's own inputSchema cannot be read: ${messageOf(error)}`;
  }
  if (problem) throw invalid(`${name}: ${problem}.`);
}

const invalid = (message: string) => new ToolError('INVALID_ARGUMENTS', message);

async function run(
  tool: PageTool,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await tool.handler(args, { signal });
  } catch (error) {
    throw executionError(error, 'The tool threw');
  }
}
