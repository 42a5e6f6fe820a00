import type { Tool } from '@modelcontextprotocol/client';

export interface Group {
  name: string;
  tools: Tool[];
}

const OTHER = 'other';
const ORDER = ['inspections', 'loop', 'ask', 'kapture', 'browser', 'chrome', 'relay', 'server'];

/** Tools by the toolset that has them, in the order of `ORDER`; all words have to be in a tool, or parts of words. */
export function groupsOf(
  tools: readonly Tool[],
  toolsets: Record<string, string[]>,
  words = '',
): Group[] {
  const home = new Map<string, string>();
  for (const [name, members] of Object.entries(toolsets))
    for (const member of members) home.set(member, name);
  const groups = new Map<string, Tool[]>();
  for (const name of [...ORDER, ...Object.keys(toolsets), OTHER]) groups.set(name, []);
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
