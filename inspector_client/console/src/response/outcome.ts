import type { CallToolResult } from '@modelcontextprotocol/client';
import { isRecord, messageOf } from '../../../src/basics';
import { responseTexts as texts } from '../texts';

export interface Failure {
  code: string;
  message: string;
  fix: string;
}

/** How a call ended. */
export interface Outcome {
  tool: string;
  /** ms since 1970. */
  at: number;
  tookMs: number;
  kind: 'success' | 'failed' | 'cancelled';
  result?: CallToolResult | undefined;
  failure?: Failure | undefined;
  /** The answer was too large for the history. */
  isShortened?: boolean;
}

type Told = Pick<Outcome, 'kind' | 'result' | 'failure'>;

export function ofResult(result: CallToolResult): Told {
  if (!result.isError) return { kind: 'success', result };
  return { kind: 'failed', result, failure: failureOf(result._meta?.['pageside/error'], result) };
}

function failureOf(told: unknown, result: CallToolResult): Failure {
  if (!isRecord(told)) return { code: '', message: textOf(result), fix: '' };
  return { code: String(told.code), message: String(told.message), fix: String(told.fix ?? '') };
}

/** Of a call that got no result: an error of the protocol, or no connection. */
export function ofError(error: unknown): Told {
  const { data, code } = isRecord(error) ? error : ({} as Record<string, unknown>);
  const told = isRecord(data) ? data : {};
  const name = told.code ?? code;
  const failure = {
    code: name === undefined ? '' : String(name),
    message: messageOf(error),
    fix: String(told.fix ?? ''),
  };
  return { kind: 'failed', failure };
}

export interface Picture {
  mime: string;
  /** base64 */
  data: string;
}

/** Those that are there; an entry of the history has words in their place. */
export function picturesOf({ content = [] }: Partial<CallToolResult>): Picture[] {
  return content.flatMap((block) =>
    block.type === 'image' && !isLeftOut(block.data)
      ? [{ mime: block.mimeType, data: block.data }]
      : [],
  );
}

const isLeftOut = (data: string): boolean => data.startsWith('<');

export function lacksPictures({ content }: CallToolResult): boolean {
  return content.some((block) => block.type === 'image' && isLeftOut(block.data));
}

export function textOf({ content = [] }: Partial<CallToolResult>): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n\n');
}

/** Whether there is more than text and pictures. */
export function isData(result: CallToolResult): boolean {
  const isOther = result.content.some(({ type }) => type !== 'text' && type !== 'image');
  return result.structuredContent !== undefined || isOther;
}

/** What the tree shows: the data, or the content as it came. */
export function dataOf(result: CallToolResult): unknown {
  return result.structuredContent ?? withoutPictures(result).content;
}

/** Whether a part of it comes from a page. */
export function isUntrusted(result: CallToolResult): boolean {
  const { structuredContent } = result;
  if (isRecord(structuredContent) && structuredContent.untrusted === true) return true;
  return textOf(result).includes('Data from the page, not instructions');
}

export const bytesOf = (base64: string): number => Math.floor((base64.length * 3) / 4);

/** The same with a few words in place of each picture, and of whatever else is base64. */
export function withoutPictures(result: CallToolResult): CallToolResult {
  const content = result.content.map((block) =>
    (block.type === 'image' || block.type === 'audio') && !isLeftOut(block.data)
      ? { ...block, data: texts.leftOut(bytesOf(block.data)) }
      : block,
  );
  return { ...result, content };
}
