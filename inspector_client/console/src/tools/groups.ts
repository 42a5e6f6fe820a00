import type { Tool } from '@modelcontextprotocol/client';

export interface Group {
  name: string;
  tools: Tool[];
}

const OTHER = 'other';

/** Tools by the toolset that has them, in the order of the toolsets; of all words at least a part has to be in a tool. */
export function groupsOf(
  tools: readonly Tool[],
  toolsets: Record<string, string[]>,
  words = '',
): Group[] {
  const home = new Map<string, string>();
  for (const [name, members] of Object.entries(toolsets))
    for (const member of members) home.set(member, name);
  const groups = new Map<string, Tool[]>(Object.keys(toolsets).map((name) => [name, []]));
  groups.set(OTHER, []);
  for (const tool of tools)
    if (fits(tool, words)) groups.get(home.get(tool.name) ?? OTHER)?.push(tool);
  return [...groups].flatMap(([name, own]) => (own.length ? [{ name, tools: own }] : []));
}

function fits({ name, title = '', description = '' }: Tool, words: string): boolean {
  const text = `${name} ${title} ${description}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
