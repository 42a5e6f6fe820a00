import { jsonLanguage } from '@codemirror/lang-json';
import { attempt, isRecord, messageOf } from '../../../src/basics';
import { checkTexts as texts } from '../texts';
import type { Args } from './check';

export type ParsedArgs = { args: Args } | { problem: string; offset: number };

/** The arguments that a text holds, or what is wrong with it and where. */
export function parseArgs(text: string): ParsedArgs {
  if (!text.trim()) return { args: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { args: value } : { problem: texts.notObject, offset: 0 };
  } catch (error) {
    const offset = offsetOf(text, messageOf(error));
    return { problem: texts.json(placeOf(text, offset)), offset };
  }
}

export function argsText(args: Args): string {
  return JSON.stringify(args, null, 2);
}

/** The value of a text, which may be any JSON; undefined if it is none. */
export function parsedValue(text: string): { value: unknown } | undefined {
  return attempt(() => ({ value: JSON.parse(text) as unknown }));
}

/** Where the grammar first does not fit; where that finds nothing (bad escapes, numbers), where the browser says. */
function offsetOf(text: string, message: string): number {
  let found: number | undefined;
  jsonLanguage.parser.parse(text).iterate({
    enter({ type, from }) {
      if (type.isError) found ??= from;
    },
  });
  return found ?? Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return texts.at(before.length, (before.at(-1)?.length ?? 0) + 1);
}
