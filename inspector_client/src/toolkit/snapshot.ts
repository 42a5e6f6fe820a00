// The page as text for an agent: one line per thing that has a meaning.
import { interactiveOnly } from './interactive';
import { type Item, isPlain } from './items';
import { quoted } from './states';
import type { Uids } from './uids';
import { walk } from './walk';

export interface SnapshotOptions {
  /** Only this element and what is in it; of a closed `select`, its options line by line. */
  root?: Element | null;
  /** Only what can be acted on, and where it is. */
  interactive?: boolean;
  /** With the addresses of links and images, which are long and seldom needed, and descriptions in full. */
  verbose?: boolean;
  /** The text is no longer than this; but there is always at least one line. */
  maxChars: number;
  /** Which tool goes on where this one ends. */
  tool?: string;
  /** The number of the first line, from 0: the `next` of the snapshot before. */
  from?: number;
}

/** A frame whose document is another toolkit's. */
export interface ForeignFrame {
  /** The index of its line in the text; the document's lines belong after it. */
  line: number;
  uid: string;
  /** How far its line is indented; the document's lines by one more. */
  depth: number;
}

export interface Snapshot {
  /** Lines such as `uid=1_5 button "Save" disabled`, indented by one blank per level; text has no uid. */
  text: string;
  /** How many lines there are on the whole. */
  nodes: number;
  /** The line to go on with; null if all are told. */
  next: number | null;
  frames: ForeignFrame[];
}

interface Line {
  readonly item: Item;
  readonly depth: number;
}

const TOOL = 'take_snapshot';
const TEXT_LIMIT = 1000;
/** For the line that says how to go on. */
const NOTE_CHARS = 160;

export function createSnapshots(uids: Uids): { snapshot(options: SnapshotOptions): Snapshot } {
  function print({ item, depth }: Line): string {
    const indent = ' '.repeat(depth);
    const name = item.name && quoted(item.name, TEXT_LIMIT);
    if (!item.element) return indent + name;
    return [`${indent}uid=${uids.uid(item.element)} ${item.role}`, name, ...item.states]
      .filter(Boolean)
      .join(' ');
  }

  function page(lines: Line[], from: number, maxChars: number, tool: string): Snapshot {
    const told: string[] = [];
    const frames: ForeignFrame[] = [];
    let room = maxChars - NOTE_CHARS;
    let next = Math.min(from, lines.length);
    for (; next < lines.length; next += 1) {
      const line = lines[next] as Line;
      const text = print(line);
      room -= text.length + 1;
      if (room < 0 && told.length) break;
      const { element, isForeign } = line.item;
      if (isForeign && element) {
        frames.push({ line: told.length, uid: uids.uid(element), depth: line.depth });
      }
      told.push(text);
    }
    const left = lines.length - next;
    if (left) told.push(noteOf(tool, left, next));
    return { text: told.join('\n'), nodes: lines.length, next: left ? next : null, frames };
  }

  return {
    snapshot({
      root = null,
      interactive = false,
      verbose = false,
      maxChars,
      tool = TOOL,
      from = 0,
    }) {
      const all = walk(document, { root, verbose });
      const lines: Line[] = [];
      flatten(interactive ? interactiveOnly(all) : all, 0, lines);
      return page(lines, Math.max(0, from), maxChars, tool);
    },
  };
}

function flatten(items: readonly Item[], depth: number, lines: Line[]): void {
  for (const item of items) {
    lines.push({ item, depth });
    if (!isPlain(item)) flatten(item.children, depth + 1, lines);
  }
}

const noteOf = (tool: string, left: number, next: number): string =>
  tool === TOOL
    ? `… ${left} more lines: call ${tool} with from=${next}, with the uid of one of these, or with interactive=true.`
    : `… ${left} more lines: call ${tool} with from=${next}, or with the uid of one of these as ref.`;
