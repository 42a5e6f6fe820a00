// Inspections as a file: written, and read with suspicion. Pure.
import { isRecord } from '../../basics';
import {
  type Box,
  type InspectionItem,
  intents,
  limits,
  type PickedArea,
  type Point,
  type Remarks,
  type Reply,
  type Sketch,
  type Step,
  severities,
  sketchLimits,
  type TextQuote,
} from '../../protocol';
import { isOpen, isStatus } from '../../queue/status';
import { exchangeTexts as texts } from '../texts';

const KIND = 'inspections';
const VERSION = 1;
/** More than all inspections of a project have. */
export const MAX_CHARS = 32 * 1024 * 1024;

/** What a file has, and why some of it cannot be taken. */
export interface Read {
  items: InspectionItem[];
  /** Of each item that is none: which, and what is wrong. */
  wrong: string[];
  /** The name of the project that they come from; '' where it is not told. */
  project: string;
}

/** Why a file is none of ours. */
export class UnreadableFile extends Error {}

/** Revision and number are those of one project. */
type Kept = Omit<InspectionItem, 'rev' | 'updated' | 'number'>;

export function written(items: InspectionItem[], project: string, now: number): string {
  const kept: Kept[] = items.map(({ rev: _, updated: __, number: ___, ...item }) => {
    // Notes that were refused here say so here only.
    const { refused: ____, ...rest } = item as InspectionItem & { refused?: string };
    return rest;
  });
  const about = {
    pageside: KIND,
    version: VERSION,
    project,
    exported: new Date(now).toISOString(),
  };
  return `${JSON.stringify({ ...about, items: kept }, null, 1)}\n`;
}

/** Raises `UnreadableFile`. */
export function read(text: string, now: number): Read {
  if (text.length > MAX_CHARS) throw new UnreadableFile(texts.unreadable.tooLarge);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new UnreadableFile(texts.unreadable.noJson);
  }
  if (!isRecord(file) || file.pageside !== KIND || !Array.isArray(file.items))
    throw new UnreadableFile(texts.unreadable.notOurs);
  if (file.version !== VERSION) throw new UnreadableFile(texts.unreadable.otherVersion);
  if (file.items.length > limits.inspections)
    throw new UnreadableFile(texts.unreadable.tooMany(limits.inspections));
  const found: Read = { items: [], wrong: [], project: textIn(file.project, 200) ?? '' };
  file.items.forEach((raw: unknown, index) => {
    try {
      found.items.push(itemOf(raw, now));
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      found.wrong.push(texts.wrongItem(index + 1, error.message));
    }
  });
  return found;
}

/** The message is the name of the field, or what is wrong with the whole. */
class Wrong extends Error {}

function must<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Wrong(name);
  return value;
}

function textIn(value: unknown, limit: number): string | undefined {
  return typeof value === 'string' && value.length <= limit ? value : undefined;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

const idIn = (value: unknown) =>
  typeof value === 'string' && /^[A-Za-z0-9_.:-]{1,100}$/.test(value) ? value : undefined;

const listIn = (value: unknown, most: number) =>
  Array.isArray(value) && value.length <= most ? (value as unknown[]) : undefined;

const wordIn = <T extends string>(value: unknown, words: readonly string[]) =>
  words.includes(value as string) ? (value as T) : undefined;

const recordIn = (value: unknown) => (isRecord(value) ? value : undefined);

/** What may be missing; what is there must be right. */
function maybe<T>(
  raw: Record<string, unknown>,
  name: string,
  take: (value: unknown) => T | undefined,
): Record<string, T> {
  return raw[name] === undefined ? {} : { [name]: must(take(raw[name]), name) };
}

const note = (value: unknown) => textIn(value, limits.descriptionChars);
const time = (now: number) => (value: unknown) => {
  const at = numberIn(value);
  return at !== undefined && at > 0 ? Math.min(Math.floor(at), now) : undefined;
};

function itemOf(raw: unknown, now: number): InspectionItem {
  if (!isRecord(raw)) throw new Wrong(texts.noInspection);
  // What is a little too large is cut when it is sent.
  if (JSON.stringify(raw).length > 4 * limits.itemBytes) throw new Wrong(texts.tooLargeItem);
  const status = isStatus(raw.status) && raw.status !== 'deleted' ? raw.status : undefined;
  const known = must(status, 'status');
  return {
    id: must(idIn(raw.id), 'id'),
    sourceInfo: sourceOf(raw.sourceInfo),
    description: must(note(raw.description), 'description'),
    // Nobody works on it here.
    status: isOpen(known) ? 'pending' : known,
    timestamp: must(time(now)(raw.timestamp), 'timestamp'),
    updated: now,
    rev: 0,
    ...Object.fromEntries(
      ['selector', 'url', 'title'].map((name) => [name, must(note(raw[name]), name)]),
    ),
    author: wordIn<'agent'>(raw.author, ['agent']) ?? 'user',
    ...remarksOf(raw),
    ...maybe(raw, 'elementId', idIn),
    ...maybe(raw, 'message', note),
    ...maybe(raw, 'agent', note),
    ...maybe(raw, 'order', numberIn),
    ...maybe(raw, 'accepted', time(now)),
    ...maybe(raw, 'progress', progressIn),
    ...maybe(raw, 'replies', repliesIn),
    ...maybe(raw, 'area', areaIn),
    ...maybe(raw, 'quote', quoteIn),
  } as InspectionItem;
}

function remarksOf(raw: Record<string, unknown>): Remarks {
  return {
    ...maybe(raw, 'intent', (value) => wordIn(value, intents)),
    ...maybe(raw, 'severity', (value) => wordIn(value, severities)),
    ...maybe(raw, 'sketch', sketchIn),
  };
}

/** As far as others rely on its shape; the companion takes secrets out of it as of any other. */
function sourceOf(value: unknown): InspectionItem['sourceInfo'] {
  const source = must(recordIn(value), 'sourceInfo');
  for (const name of ['file', 'component'])
    if (source[name] !== undefined) must(note(source[name]), `sourceInfo.${name}`);
  for (const name of ['line', 'column'])
    if (source[name] !== undefined) must(numberIn(source[name]), `sourceInfo.${name}`);
  if (source.elementInfo !== undefined) checkInfo(recordIn(source.elementInfo));
  return source as unknown as InspectionItem['sourceInfo'];
}

function checkInfo(info: Record<string, unknown> | undefined): void {
  const name = 'sourceInfo.elementInfo';
  const { tagName = '', textContent = '', boundingBox, computedStyles = {} } = must(info, name);
  for (const text of [tagName, textContent]) must(note(text), name);
  if (boundingBox !== undefined) must(boxIn(boundingBox), `${name}.boundingBox`);
  must(recordIn(computedStyles), `${name}.computedStyles`);
}

function boxIn(value: unknown): Box | undefined {
  const { x, y, width, height } = recordIn(value) ?? {};
  const all = [x, y, width, height].map(numberIn);
  return all.includes(undefined) ? undefined : (value as Box);
}

function progressIn(value: unknown): InspectionItem['progress'] {
  const steps = listIn(recordIn(value)?.steps, 100)?.filter(isRecord);
  const isStep = ({ id, title, status }: Record<string, unknown>) =>
    numberIn(id) !== undefined &&
    note(title) !== undefined &&
    isStatus(status) &&
    status !== 'deleted';
  return steps?.every(isStep) ? { steps: steps as unknown as Step[] } : undefined;
}

function repliesIn(value: unknown): Reply[] | undefined {
  const replies = listIn(value, 1000)?.filter(isRecord);
  const isReply = ({ id, from, text, at, name = '', kind = 'reply' }: Record<string, unknown>) =>
    [idIn(id), note(text), numberIn(at), textIn(name, 500)].every((one) => one !== undefined) &&
    wordIn(from, ['user', 'agent']) &&
    wordIn(kind, ['reply', 'question', 'answer', 'status']);
  return replies?.every(isReply) ? (replies as unknown as Reply[]) : undefined;
}

function areaIn(value: unknown): PickedArea | undefined {
  const { bounds, total, elements } = recordIn(value) ?? {};
  const isRight =
    boxIn(bounds) &&
    numberIn(total) !== undefined &&
    listIn(elements, limits.areaElements)?.every(isRecord);
  return isRight ? (value as PickedArea) : undefined;
}

function quoteIn(value: unknown): TextQuote | undefined {
  const { exact, prefix = '', suffix = '' } = recordIn(value) ?? {};
  return [exact, prefix, suffix].every((text) => note(text) !== undefined)
    ? (value as TextQuote)
    : undefined;
}

function sketchIn(value: unknown): Sketch | undefined {
  const shapes = listIn(recordIn(value)?.shapes, sketchLimits.shapes)?.filter(isRecord);
  const isRight =
    shapes?.length && shapes.every(isShape) && JSON.stringify(value).length <= sketchLimits.bytes;
  return isRight ? (value as unknown as Sketch) : undefined;
}

function isShape({ kind, points }: Record<string, unknown>): boolean {
  const all = listIn(points, kind === 'pen' ? sketchLimits.points : 2);
  const fewest = kind === 'pen' ? 1 : 2;
  const isKnown = sketchLimits.kinds.includes(kind as string);
  return isKnown && !!all && all.length >= fewest && all.every(isPoint);
}

function isPoint(value: unknown): value is Point {
  return (
    listIn(value, 2)?.length === 2 &&
    (value as unknown[]).every((one) => Math.abs(numberIn(one) ?? Infinity) <= sketchLimits.px)
  );
}
