import type { Tool } from '../calls';
import { ToolError } from '../failure';
import { toResult, typeOf } from './serialise';

type Script = () => Promise<unknown>;

/** Runs an expression, or the body of an async function, in the page. Its time limit is the call's own. */
export const runScript: Tool = async ({ code }) => {
  const script = compile(String(code));
  const value = await script().catch((error: unknown) => {
    throw executionError(error);
  });
  return { value: toResult(value), type: typeOf(value) };
};

function compile(code: string): Script {
  const expression = code.trim().replace(/;$/, '');
  try {
    return make(`(${expression}\n)`);
  } catch (error) {
    if (!(error instanceof SyntaxError))
      throw executionError(error, "The page's policy forbids it:");
  }
  try {
    return make(`{${code}\n}`);
  } catch (error) {
    throw executionError(error);
  }
}

// The tool's very purpose; the companion asks for it only on behalf of the developer's own agent.
const make = (body: string): Script => new Function(`return async () => ${body}`)();

export function executionError(error: unknown, what = 'The script threw'): ToolError {
  const stack = (error instanceof Error && error.stack) || '';
  return new ToolError('EXECUTION_ERROR', `${what} ${String(error)}`, { stack });
}
