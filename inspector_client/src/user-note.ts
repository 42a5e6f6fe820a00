import { attempt } from './basics';
import type { DetailsLoader } from './details';
import { areaContextOf, areaOf, commonContainer, elementsIn } from './element/area';
import { seenOf } from './element/context';
import { boxOf } from './element/deep';
import type { Highlight } from './highlight';
import type { Picked } from './picking';
import {
  type Box,
  type ElementContext,
  type PickedArea,
  type SourceLocation,
  sessionKeys,
} from './protocol';
import type { Queue } from './queue/queue';
import { h, textButton } from './ui/dom';
import type { Note } from './ui/note';
import { aboutText, type OpenPlace } from './ui/texts';

/** Without its place a note is worth little. */
const PLACE_MS = 3000;
const MORE_MS = 300;

interface UserNoteParts {
  host: Element;
  note: Note;
  highlight: Highlight;
  queue: Queue;
  session: () => Storage;
  details: DetailsLoader;
  open: OpenPlace;
  /** Told at once; the note may take minutes. */
  picked(element: Element): void;
  saved(context: ElementContext & { description: string; inspectionId: string }): void;
}

/** What the user picked and has written of it. */
interface Draft {
  context: ElementContext;
  area?: PickedArea;
  box: Box;
  text: string;
}

export interface UserNote {
  /** There is a note that a reload cut short. */
  readonly isCut: boolean;
  /** Asks for the note on what was picked; null: goes on with the one that was cut short. */
  write(picked: Picked | null): Promise<void>;
  /** The document goes away. */
  keep(): void;
}

/** From the user's pick to the inspection in the queue. */
export function createUserNote(parts: UserNoteParts): UserNote {
  const { host, note, highlight, queue, session, details, open, saved } = parts;
  let draft = attempt<Draft | null>(() => {
    const kept = session().getItem(sessionKeys.draft);
    session().removeItem(sessionKeys.draft);
    return JSON.parse(kept ?? 'null');
  });

  /** What follows the note, which is there at once: the place, and then what takes longer. */
  let located: Promise<unknown> | undefined;
  let more: Promise<unknown> | undefined;

  function describe(picked: Picked): Draft {
    const isArea = picked.mode === 'area';
    const inside = isArea ? elementsIn(picked.bounds, host) : [picked.element];
    const element = commonContainer(inside);
    parts.picked(element);
    const box = isArea ? picked.bounds : boxOf(element);
    if (isArea) highlight.area(box);
    else highlight.element(element, element.localName);
    // Described now, as it is while the user points; what he types may take minutes.
    const context = seenOf(element);
    const { sourceInfo } = context;
    const told: Draft = { context, box, text: '' };
    const add = (found: SourceLocation) => {
      if (!found.reason) Reflect.deleteProperty(sourceInfo, 'reason');
      Object.assign(sourceInfo, found);
    };
    located = Promise.all([
      details.locate(element).then(add),
      isArea &&
        areaContextOf(box, inside, null, details.locate).then((area) => {
          told.area = areaOf(area);
        }),
    ]);
    more = isArea ? undefined : details.explain(element).then(add);
    return told;
  }
  async function reach(context: ElementContext, line: HTMLElement): Promise<void> {
    await more;
    const found = await details.get();
    line.append(...found.reach(context, textButton));
  }
  return {
    get isCut() {
      return !!draft;
    },
    async write(picked) {
      if (picked) draft = describe(picked);
      const told = draft;
      if (!told) return;
      const { context, box, text } = told;
      const place = h('span');
      const line = h('div', 'reach');
      const show = () => place.replaceChildren(...aboutText({ ...context, area: told.area }, open));
      show();
      void located?.then(show, show);
      if (picked?.mode !== 'area' && !told.area) void reach(context, line).catch(() => line);
      const description = await note.write(box, [place, line], text);
      if (description !== null) {
        await within(PLACE_MS, located);
        // What is not known by then is not worth keeping anybody.
        await within(MORE_MS, more);
      }
      draft = null;
      highlight.hide();
      if (description === null) return;
      const { id } = queue.add(context, description, { area: told.area });
      saved({ ...context, description, inspectionId: id });
    },
    // Only now: a copy of this tab must not open the note as well.
    keep() {
      const kept = draft && JSON.stringify({ ...draft, text: note.text });
      if (kept) attempt(() => session().setItem(sessionKeys.draft, kept));
    },
  };
}

/** Waits for a promise, whatever comes of it, and not longer than so. */
const within = (ms: number, promise: Promise<unknown> | undefined) =>
  Promise.race([promise?.catch(() => null), new Promise((done) => setTimeout(done, ms))]);
