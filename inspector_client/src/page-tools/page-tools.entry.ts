// What the app's own code imports in development; in a build it gets an empty function instead.
import { attempt, isRecord } from '../basics';
import { toolsSymbol } from '../protocol';
import { MAX_TOOLS, type PageTool, problemOf } from './rules';

/**
 * Offers a function of the app to agents, as data of this page; returns what takes it back.
 * Another one of the same name takes its place. What is wrong with it is told in the console: it never stops the app.
 */
export function registerTool(tool: PageTool): () => void {
  const tools = registered();
  const others = tools.filter((each) => nameOf(each) !== nameOf(tool));
  const many = others.length >= MAX_TOOLS ? `there are ${MAX_TOOLS} tools already` : '';
  const problem = problemOf(tool) || many;
  if (problem) {
    console.warn(`[pageside] registerTool(${JSON.stringify(nameOf(tool))}): ${problem}.`);
    return () => undefined;
  }
  tools.splice(0, tools.length, ...others, tool);
  return () => {
    const place = tools.indexOf(tool);
    if (place >= 0) tools.splice(place, 1);
  };
}

/** Where Pageside looks for them, whichever of the two comes first. */
function registered(): unknown[] {
  const symbol = Symbol.for(toolsSymbol);
  const page = globalThis as Record<symbol, unknown>;
  if (!Array.isArray(page[symbol])) page[symbol] = [];
  return page[symbol] as unknown[];
}

/** A getter of the page may throw. */
const nameOf = (tool: unknown) => attempt(() => (isRecord(tool) ? tool.name : undefined));
