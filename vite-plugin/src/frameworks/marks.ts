import path from 'node:path';
import MagicString from 'magic-string';
import { normalizePath, type Plugin } from 'vite';
import { CHANNEL } from '../contract.ts';
import type { Settings } from '../options.ts';
import { hasSolid, markJsx } from './solid.ts';
import { parseModule } from './syntax.ts';
import { hasMarkup, markTemplates } from './tagged.ts';

const { sourceAttribute } = CHANNEL;
/** Queries (`?raw`, `?worker&url`) are not in it: such modules are something else than their file. */
const MODULE = /^[^\0?]+\.[cm]?[jt]sx?$/;
const FOREIGN = /\/node_modules\/|\/\.vite\//;

/** Adds places to a text, which stays the same otherwise. */
export interface Marker {
  /** The text that is marked, as it was. */
  code: string;
  /** What marks a tag that stands at `start`; null when the tag has a mark already. */
  mark(start: number, nameEnd: number, quote?: string): void;
  /** `<file>:<line>:<column>` of an offset. */
  placeOf(offset: number): string;
  insert(offset: number, text: string): void;
}

/** What compiles without knowing the places of its elements gets them written into its markup: Solid, templates. */
export function marksPlugin({ solid, markup }: Pick<Settings, 'solid' | 'markup'>): Plugin {
  let root = '';
  let isSolid = false;
  return {
    name: 'pageside:marks',
    enforce: 'pre',
    configResolved(config) {
      root = config.root;
      isSolid = solid && hasSolid(config);
    },
    transform: {
      // Before all others: places are those of the text that the developer wrote.
      order: 'pre',
      filter: { id: { include: MODULE, exclude: FOREIGN } },
      handler(code, id) {
        const jsx = isSolid && id.endsWith('x') && code.includes('<');
        const templates = markup && hasMarkup(code);
        if (!jsx && !templates) return undefined;
        const program = parseModule(code, id);
        if (!program) return undefined;
        const text = new MagicString(code);
        const marker = createMarker(text, relativeFile(root, id));
        const onServer = this.environment?.config.consumer === 'server';
        if (jsx) markJsx(program, marker, onServer);
        if (templates) markTemplates(program, marker);
        if (!text.hasChanged()) return undefined;
        return { code: text.toString(), map: text.generateMap({ hires: 'boundary', source: id }) };
      },
    },
  };
}

/** As the mark has it: relative to Vite's root, with slashes. */
export function relativeFile(root: string, file: string): string {
  return normalizePath(path.relative(root, file));
}

export function createMarker(text: MagicString, file: string): Marker {
  const { original: code } = text;
  const name = escapeAttribute(file);
  const lines = lineStarts(code);
  const placeOf = (offset: number) => {
    const line = lineAt(lines, offset);
    return `${name}:${line + 1}:${offset - (lines[line] ?? 0) + 1}`;
  };
  const insert = (offset: number, added: string) => void text.appendLeft(offset, added);
  return {
    code,
    placeOf,
    insert,
    mark(start, nameEnd, quote = '"') {
      insert(nameEnd, ` ${sourceAttribute}=${quote}${placeOf(start)}${quote}`);
    },
  };
}

/** For HTML, JSX, and both of them inside any kind of JavaScript string. */
function escapeAttribute(value: string): string {
  return value.replace(/[&"'<>`\\${}\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** Offsets at which lines start. */
function lineStarts(code: string): number[] {
  return [0, ...[...code.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: end }) => index + end.length)];
}

/** Index of the line that an offset lies in. */
function lineAt(starts: number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
