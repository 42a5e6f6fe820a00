import { originalPositionFor, type SourceMapInput, TraceMap } from '@jridgewell/trace-mapping';
import type { ViteDevServer } from 'vite';
import { children, parseSource, type SyntaxNode } from './lexical.ts';

interface Position {
  line: number;
  column: number;
}
type Positions = ReadonlyMap<string, Position>;

/**
 * Where JSX is written when a plugin has rewritten the module before it was compiled, as TanStack Start does with
 * routes: compilers then note places in the rewritten code. The compiled module's source map knows better. Null where
 * there is nothing to correct with.
 */
export function createJsxMapper(server: ViteDevServer) {
  const known = new WeakMap<object, Positions>();
  return (id: string, { line, column }: Position): Position | null => {
    const result = server.environments.client.moduleGraph.getModuleById(id)?.transformResult;
    if (!result?.map || !('mappings' in result.map) || !result.map.mappings) return null;
    const positions = known.get(result) ?? authored(result.code, result.map as SourceMapInput);
    known.set(result, positions);
    return positions.get(`${line}:${column}`) ?? null;
  };
}

/** For each place that the compiler noted in a call, where that call comes from. All are 1-based. */
function authored(code: string, map: SourceMapInput): Positions {
  const positions = new Map<string, Position>();
  const trace = new TraceMap(map);
  const visit = (node: SyntaxNode): void => {
    const noted = node.type === 'CallExpression' ? notedPlace(node) : null;
    const { line, column } = noted ? originalPositionFor(trace, node.loc.start) : noPlace;
    if (noted && line !== null) positions.set(noted, { line, column: column + 1 });
    for (const child of children(node)) visit(child);
  };
  const program = parseSource(code, 'compiled.js');
  if (program) visit(program);
  return positions;
}

const noPlace = { line: null, column: null } as const;

/** `line:column` of a call `jsxDEV(…, { fileName, lineNumber, columnNumber }, this)`. */
function notedPlace({ arguments: given }: SyntaxNode): string | null {
  const source = Array.isArray(given) ? (given as SyntaxNode[])[4] : undefined;
  if (source?.type !== 'ObjectExpression') return null;
  const numbers = new Map<string, unknown>();
  for (const { key, value } of source.properties as Record<string, Record<string, unknown>>[])
    numbers.set(String(key?.name), value?.value);
  const line = numbers.get('lineNumber');
  return typeof line === 'number' ? `${line}:${numbers.get('columnNumber')}` : null;
}
