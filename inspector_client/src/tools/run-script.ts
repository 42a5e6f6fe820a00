import { messageOf } from '../basics';
import type { Tool } from '../calls';
import { ToolError } from '../failure';
import { toResult, typeOf } from './serialise';

type Script = () => Promise<unknown>;

/** Runs an expression, or the body of an async function, in the page. */
export const runScript: Tool = async (args, { timeoutMs, signal }) => {
  const { code } = args;
  if (typeof code !== 'string' || code.trim() === '')
    throw new ToolError('INVALID_ARGUMENTS', "'code' must be JavaScript text.");
  const limit = typeof args.timeoutMs === 'number' ? args.timeoutMs : timeoutMs;
  const value = await Promise.race([run(compile(code)), endOf(limit, signal)]);
  return { value: toResult(value), type: typeOf(value) };
};

function compile(code: string): Script {
  try {
    return asExpression(code) ?? (make(`return (async () => {${code}\n})()`) as Script);
  } catch (error) {
    if (error instanceof SyntaxError) throw executionError(error);
    const message = `The page's Content-Security-Policy forbids running code from text: ${messageOf(error)}`;
    throw new ToolError('EXECUTION_ERROR', message, { stack: '' });
  }
}

function asExpression(code: string): Script | null {
  try {
    return make(`return (async () => (${code.replace(/;\s*$/, '')}\n))()`) as Script;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

// The tool's very purpose; the companion asks for it only on behalf of the developer's own agent.
const make = (body: string): unknown => new Function(body);

async function run(script: Script): Promise<unknown> {
  try {
    return await script();
  } catch (error) {
    throw executionError(error);
  }
}

function executionError(error: unknown): ToolError {
  const isError = error instanceof Error;
  const message = isError ? `${error.name}: ${error.message}` : `Thrown: ${String(error)}`;
  return new ToolError('EXECUTION_ERROR', message, { stack: (isError && error.stack) || '' });
}

function endOf(limitMs: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => {
      const message = `The script did not finish within ${limitMs} ms.`;
      reject(new ToolError('COMMAND_TIMEOUT', message));
    }, limitMs);
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  });
}
