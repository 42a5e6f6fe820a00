import { attempt } from './basics';
import type { DetailsLoader } from './details';
import { areaContextOf, areaOf, commonContainer, elementsIn } from './element/area';
import { contextOf } from './element/context';
import { boxOf } from './element/deep';
import type { Highlight } from './highlight';
import type { Picked } from './picking';
import { type Box, type ElementContext, type PickedArea, sessionKeys } from './protocol';
import type { Queue } from './queue/queue';
import { h, textButton } from './ui/dom';
import type { Note } from './ui/note';
import { aboutText, type OpenPlace } from './ui/texts';

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

  let more: Promise<void> | undefined;

  async function describe(picked: Picked): Promise<Draft> {
    const isArea = picked.mode === 'area';
    const inside = isArea ? elementsIn(picked.bounds, host) : [picked.element];
    const element = commonContainer(inside);
    parts.picked(element);
    const box = isArea ? picked.bounds : boxOf(element);
    if (isArea) highlight.area(box);
    else highlight.element(element, element.localName);
    // Described now, as it is while the user points; what he types may take minutes.
    const context = await contextOf(element, details.locate);
    // What takes longer follows, so that the note is there at once.
    if (!isArea)
      more = details
        .explain(element)
        .then((found) => void Object.assign(context.sourceInfo, found));
    const area = isArea && areaOf(await areaContextOf(box, inside, null, details.locate));
    return { context, ...(area && { area }), box, text: '' };
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
      if (picked) draft = await describe(picked);
      if (!draft) return;
      const { context, area, box, text } = draft;
      const line = h('div', 'reach');
      if (!area) void reach(context, line).catch(() => line);
      const about = aboutText({ ...context, area }, open);
      const description = await note.write(box, [...about, line], text);
      // What is not known by then is not worth keeping anybody.
      if (description !== null)
        await Promise.race([more, new Promise((done) => setTimeout(done, MORE_MS))]);
      draft = null;
      highlight.hide();
      if (description === null) return;
      const { id } = queue.add(context, description, area);
      saved({ ...context, description, inspectionId: id });
    },
    // Only now: a copy of this tab must not open the note as well.
    keep() {
      const kept = draft && JSON.stringify({ ...draft, text: note.text });
      if (kept) attempt(() => session().setItem(sessionKeys.draft, kept));
    },
  };
}
