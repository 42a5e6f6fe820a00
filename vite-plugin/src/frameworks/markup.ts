/** A start tag in a piece of markup; offsets within the piece. */
export interface Tag {
  name: string;
  start: number;
  nameEnd: number;
  /** An expression goes on with the name: nothing may come between. */
  open: boolean;
}

export interface MarkupScanner {
  /** Reads on: the start tags of the next static piece. */
  read(piece: string): Tag[];
  /** An expression stands here; whether it does so between elements, not in a tag, a comment or a script. */
  hole(): boolean;
}

/** A backslash begins what a string has for a line end. */
const START_TAG = /<([a-zA-Z][^\s/>\\]*)?/y;
/** Their content is text, not markup. */
const RAW = /^(?:script|style|textarea|title|xmp|iframe|noembed|noframes|plaintext)$/i;

type State = 'text' | 'tag' | 'comment' | { quote: string } | { raw: string };

/** Follows HTML through pieces, between which expressions stand. */
export function createMarkupScanner(): MarkupScanner {
  let state: State = 'text';
  /** The name of the tag that is read. */
  let current = '';
  /** What stood last in it: a quote opens a value only after `=`. */
  let last = '';

  /** The offset where reading goes on after `at`. */
  function step(piece: string, at: number, tags: Tag[]): number {
    if (state === 'text') return readText(piece, at, tags);
    if (state === 'tag') return readTag(piece, at);
    if (state === 'comment') return skipTo(piece, '-->', at);
    return 'quote' in state ? skipTo(piece, state.quote, at, 'tag') : skipRaw(piece, state.raw, at);
  }
  function skipTo(piece: string, end: string, at: number, then: State = 'text'): number {
    const found = piece.indexOf(end, at);
    if (found < 0) return piece.length;
    state = then;
    return found + end.length;
  }
  function skipRaw(piece: string, name: string, at: number): number {
    const rest = new RegExp(`</${name}(?![\\w-])`, 'gi');
    rest.lastIndex = at;
    const found = rest.exec(piece);
    if (!found) return piece.length;
    current = '';
    state = 'tag';
    return rest.lastIndex;
  }
  function readText(piece: string, at: number, tags: Tag[]): number {
    const start = piece.indexOf('<', at);
    if (start < 0) return piece.length;
    if (piece.startsWith('<!--', start)) {
      state = 'comment';
      return start + 4;
    }
    if (/[/!?]/.test(piece[start + 1] ?? '')) {
      current = '';
      state = 'tag';
      return start + 2;
    }
    START_TAG.lastIndex = start;
    const name = START_TAG.exec(piece)?.[1] ?? '';
    const nameEnd = start + 1 + name.length;
    const open = nameEnd === piece.length;
    if (name === '' && !open) return nameEnd;
    current = name;
    state = 'tag';
    tags.push({ name, start, nameEnd, open });
    return nameEnd;
  }
  function readTag(piece: string, at: number): number {
    const char = piece[at] ?? '';
    if (char === '>') state = RAW.test(current) ? { raw: current } : 'text';
    else if (last === '=' && /["']/.test(char)) state = { quote: char };
    // In a string with double quotes, those of attributes have a backslash.
    if (!/[\s\\]/.test(char)) last = char;
    return at + 1;
  }

  return {
    read(piece) {
      const tags: Tag[] = [];
      for (let at = 0; at < piece.length; ) at = step(piece, at, tags);
      return tags;
    },
    hole() {
      last = '';
      return state === 'text';
    },
  };
}
