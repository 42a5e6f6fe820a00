import { asRecord } from '../companion/registry.ts';
import { CHANNEL } from '../contract.ts';
import type { Refusal } from '../http/errors.ts';
import type { Frame } from './frames.ts';

/** What the page found out about an element; see "Source locations" in docs/protocol.md. */
export interface Place {
  file: string | undefined;
  line: number;
  column: number;
  /** A relative file is so to the folder that the dev server runs in, not to Vite's root. */
  fromCwd: boolean;
  frame: Frame | undefined;
  tag: string;
  /** How the page knows it. */
  via: string;
  /** The text of the file that the place counts in; undefined: the one that is there now. */
  version: string | undefined;
  /** A component's call site, where nothing is known of what the component makes. */
  opaque: boolean;
  /** Also what is written there besides the tag. */
  more: boolean;
}

/** More owners than any sensible component tree has above one element. */
const PLACES_LIMIT = 500;

/** The places of a resolve request, or why it cannot be answered. */
export function parsePlaces(body: string): Place[] | Refusal {
  const request = parseObject(body);
  if (!request || !Array.isArray(request.places)) {
    return badRequest('The body must be a JSON object with a list "places".');
  }
  if (request.places.length > PLACES_LIMIT) {
    return badRequest(`"places" has more than ${PLACES_LIMIT} entries.`);
  }
  const tag = typeof request.tag === 'string' ? request.tag : '';
  return request.places.map((place) => parsePlace(asRecord(place) ?? {}, tag));
}

function parsePlace(place: Record<string, unknown>, tag: string): Place {
  return {
    file: typeof place.file === 'string' ? place.file : undefined,
    line: whole(place.line),
    column: whole(place.column),
    fromCwd: place.base === 'cwd',
    frame: parseFrame(asRecord(place.frame)),
    tag: typeof place.tag === 'string' ? place.tag : tag,
    via: typeof place.via === 'string' ? place.via : '',
    more: place.more === true,
    version: typeof place.version === 'string' ? place.version : undefined,
    opaque: place.opaque === true,
  };
}

function parseFrame(frame: Record<string, unknown> | null): Frame | undefined {
  if (typeof frame?.url !== 'string') return undefined;
  const line = whole(frame.line);
  const column = whole(frame.column);
  return line > 0 && column > 0 ? { url: frame.url, line, column } : undefined;
}

export function whole(value: unknown): number {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : 0;
}

export function parseObject(body: string): Record<string, unknown> | null {
  try {
    return asRecord(JSON.parse(body));
  } catch {
    return null;
  }
}

export function badRequest(message: string): Refusal {
  return {
    status: 400,
    code: 'BAD_REQUEST',
    message,
    fix: `See "Source locations" of the page channel, version ${CHANNEL.protocol}.`,
  };
}
