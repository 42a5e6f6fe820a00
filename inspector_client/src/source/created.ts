import { type Frame, type Place, sourceAttribute } from '../protocol';
import { framesOf } from './frames';
import { hostPlaces, ownedByHosts } from './marked';
import { notedFor } from './noted';
import type { SourceReader } from './raw';

interface Note {
  /** `createElement`, `innerHTML`, `cloneNode`, … */
  by: string;
  error: Error;
}

/** Not the project's: packages, Vite's client with the plugin's notes at its end, and Pageside. */
const FOREIGN = /\/node_modules\/|\/@vite\/|\/@id\/|\/__pageside__\//;

/** Elements that a script made, where the plugin lets the page note which. */
export const created: SourceReader = {
  name: 'dom',
  read(element) {
    const note = noteOf(element);
    if (!note) return null;
    const owned = ownedByHosts(element);
    const places = [placeOf(note, element), ...hostPlaces(element)];
    // A package made it: then the tag that the developer wrote leads to it, unless something nearer does.
    if (!places[0] && hasMarkAround(element)) return null;
    return { ...owned, framework: owned.framework === 'html' ? 'dom' : owned.framework, places };
  },
};

export function noteOf(element: Element): Note | null {
  const notes = notedFor<{ made: WeakMap<Element, Note> }>(element, 'created');
  return notes?.made.get(element) ?? null;
}

function placeOf({ by, error }: Note, { localName: tag }: Element): Place | null {
  const frame = framesOf(error.stack ?? '').find(({ url }: Frame) => !FOREIGN.test(url));
  return frame ? { frame, tag, via: by } : null;
}

function hasMarkAround(element: Element): boolean {
  return !!element.parentElement?.closest(`[${sourceAttribute}]`);
}
