import type { ObjectExpression, Program } from './syntax.ts';
import { span } from './syntax.ts';

/** How a file is written: what is added to it is written alike. */
export class Style {
  readonly newline: string;
  readonly quote: string;
  readonly semicolon: string;
  readonly unit: string;
  private readonly code: string;

  constructor(code: string, program: Program) {
    this.code = code;
    this.newline = /^[^\n]*\r\n/.test(code) ? '\r\n' : '\n';
    const sources = program.body.filter((each) => each.type === 'ImportDeclaration');
    const text = sources[0]
      ? code.slice(span(sources[0].source).start)
      : (/['"]/.exec(code)?.[0] ?? "'");
    this.quote = text.startsWith('"') ? '"' : "'";
    const ended = program.body.find((each) => /Import|Variable|Expression|Default/.test(each.type));
    this.semicolon = !ended || code.slice(0, span(ended).end).endsWith(';') ? ';' : '';
    this.unit = /\n(\t| +)\S/.exec(code)?.[1] ?? '  ';
  }

  quoted(text: string): string {
    return this.quote + text + this.quote;
  }

  /** What the line of this place begins with. */
  indentAt(at: number): string {
    const line = this.code.slice(this.code.lastIndexOf('\n', at - 1) + 1, at);
    return /^[ \t]*/.exec(line)?.[0] ?? '';
  }

  /** The text that puts an entry first in `{…}` or `[…]`, and where: on a line of its own where others have one. */
  first(container: { start: number; end: number }, first: number | undefined, entry: string) {
    const inside = container.start + 1;
    const gap = this.code.slice(inside, first ?? container.end - 1);
    if (first === undefined) return { at: inside, text: this.alone(container, gap, entry) };
    if (!gap.includes('\n')) return { at: first, text: `${entry}, ` };
    const indent = this.indentAt(first);
    // Comments above the first entry are about that one.
    const hasComment = gap.trim() !== '';
    return hasComment && /^[ \t]*\r?\n/.test(gap)
      ? { at: inside, text: `${this.newline}${indent}${entry},` }
      : { at: first, text: `${entry},${this.newline}${indent}` };
  }

  private alone(container: { start: number }, gap: string, entry: string): string {
    if (gap.includes('\n')) {
      return `${this.newline}${this.indentAt(container.start)}${this.unit}${entry},`;
    }
    return this.code[container.start] === '{' && gap === '' ? ` ${entry} ` : entry;
  }
}

export function firstOf(object: ObjectExpression): number | undefined {
  const [first] = object.properties;
  return first && span(first).start;
}
