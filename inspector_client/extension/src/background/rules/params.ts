// What commands take; foreign servers and the user's own forms are checked as well.
import { LIMITS, TABS } from '../../shared/contract';
import { CommandError } from './failure';

export const LONGEST_MS = 300_000;
export const LONGEST_SIDE_PX = 16_384;
/** So much longer than a page may take to load a command may take, so that it can say so. */
const MARGIN_MS = 1000;

export interface Params {
  kapturemcp_navigate: { url: string; timeout: number };
  kapturemcp_go_back: object;
  kapturemcp_go_forward: object;
  kapturemcp_screenshot: { name: string; selector?: string; width?: number; height?: number };
  kapturemcp_click: { selector: string };
  kapturemcp_hover: { selector: string };
  kapturemcp_fill: { selector: string; value: string };
  kapturemcp_select: { selector: string; value: string };
  kapturemcp_evaluate: { code: string };
  kapturemcp_logs: { max: number };
}

export type Name = keyof Params;
type Given = Record<string, unknown>;

const bad = (name: string, why: string) =>
  new CommandError('INVALID_ARGUMENTS', `'${name}' ${why}.`, { argument: name });

function text(given: Given, name: string, longest: number, isEmptyFine = false): string {
  const value = given[name];
  if (value === undefined || value === null) throw bad(name, 'is missing: it has to be a text');
  if (typeof value !== 'string') throw bad(name, `has to be a text, not ${JSON.stringify(value)}`);
  if (!isEmptyFine && !value.trim()) throw bad(name, 'is empty');
  if (value.length > longest) throw bad(name, `has more than ${longest} characters`);
  return value;
}

function number(given: Given, name: string, most: number): number | undefined {
  const value = given[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(value >= 1 && value <= most))
    throw bad(name, `has to be a number from 1 to ${most}, not ${JSON.stringify(value)}`);
  return value;
}

const selector = (given: Given): string => text(given, 'selector', LIMITS.urlChars);

const CHECKS: { [C in Name]: (given: Given) => Params[C] } = {
  kapturemcp_navigate: (given) => ({
    url: text(given, 'url', LIMITS.urlChars * 16),
    timeout: number(given, 'timeout', LONGEST_MS) ?? TABS.commandMs,
  }),
  kapturemcp_go_back: () => ({}),
  kapturemcp_go_forward: () => ({}),
  kapturemcp_screenshot: (given) => ({
    name: text(given, 'name', LIMITS.titleChars),
    selector: given.selector === undefined || given.selector === null ? undefined : selector(given),
    width: number(given, 'width', LONGEST_SIDE_PX),
    height: number(given, 'height', LONGEST_SIDE_PX),
  }),
  kapturemcp_click: (given) => ({ selector: selector(given) }),
  kapturemcp_hover: (given) => ({ selector: selector(given) }),
  kapturemcp_fill: (given) => ({ selector: selector(given), value: textValue(given) }),
  kapturemcp_select: (given) => ({ selector: selector(given), value: textValue(given) }),
  kapturemcp_evaluate: (given) => ({ code: text(given, 'code', LIMITS.codeChars) }),
  kapturemcp_logs: (given) => ({
    max: Math.trunc(number(given, 'max', Number.MAX_SAFE_INTEGER) ?? 100),
  }),
};

const textValue = (given: Given): string => text(given, 'value', LIMITS.messageBytes, true);

const isCommand = (name: unknown): name is Name =>
  typeof name === 'string' && Object.hasOwn(CHECKS, name);

/** What the command was given, checked; throws with the name of the argument. */
export function checked<C extends Name>(command: C, given: Given): Params[C] {
  return CHECKS[command](given);
}

/** How long the command may take, in ms. */
export function limitOf(command: string, given: Given, asked: number | undefined): number {
  if (command !== 'kapturemcp_navigate') return asked ?? TABS.commandMs;
  const { timeout } = given;
  const isFine = typeof timeout === 'number' && timeout >= 1 && timeout <= LONGEST_MS;
  return (isFine ? timeout : TABS.commandMs) + MARGIN_MS;
}

/** The command of that name; throws if there is none. */
export function checkedName(name: string): Name {
  if (isCommand(name)) return name;
  throw new CommandError(
    'INVALID_ARGUMENTS',
    `There is no command ${JSON.stringify(name.slice(0, 100))}; there are: ${TABS.commands.join(', ')}.`,
    { argument: 'command' },
  );
}
