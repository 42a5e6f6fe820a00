import { attempt } from './basics';
import type { DetailsLoader } from './details';
import { areaContextOf, areaOf } from './element/area';
import { assignPlace, seenOf } from './element/context';
import { boxOf } from './element/deep';
import type { Highlight } from './highlight';
import type { Picked } from './picking';
import {
  type Box,
  type ElementContext,
  type PickedArea,
  type Remarks,
  type SourceLocation,
  sessionKeys,
  type TextQuote,
} from './protocol';
import type { Queue } from './queue/queue';
import { targetOf } from './target';
import { h, textButton } from './ui/dom';
import type { Note } from './ui/note';
import { aboutText, type OpenPlace } from './ui/texts';
import type { RemarksField } from './workbench';

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
  /** What the note may say besides its text: the fields for it, once they are loaded. */
  remarks(kept: Remarks, anchor: () => Box): Promise<RemarksField>;
  /** Told at once; the note may take minutes. */
  picked(element: Element): void;
  saved(context: ElementContext & { description: string; inspectionId: string }): void;
}

/** What the user picked and has written of it. */
interface Draft {
  context: ElementContext;
  area?: PickedArea;
  box: Box;
  quote?: TextQuote;
  text: string;
  said: Remarks;
}

/** The draft, and what follows the note, which is there at once: the place, and then what takes longer. */
interface Described {
  draft: Draft;
  element?: Element;
  located?: Promise<unknown>;
  more?: Promise<unknown>;
}

export interface UserNote {
  /** There is a note that a reload cut short. */
  readonly isCut: boolean;
  /** Asks for the note on what was picked (null: goes on with the one that was cut short). True: pick the next. */
  write(picked: Picked | null): Promise<boolean>;
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
  /** What the user says besides the text, as far as that is loaded. */
  let remarks: RemarksField | undefined;
  /** Saved by the user, still to be completed by what takes longer. */
  const unfinished = new Set<() => void>();

  const saying = () => remarks?.value ?? draft?.said ?? {};

  function describe(picked: Picked): Described {
    const { element, elements, box, quote } = targetOf(picked, host);
    parts.picked(element);
    if (picked.mode === 'element') highlight.element(element, element.localName);
    else highlight.area(box);
    // Described now, as it is while the user points; what he types may take minutes.
    const context = seenOf(element);
    const { sourceInfo } = context;
    const told: Draft = { context, box, quote, text: '', said: {} };
    const add = (found: SourceLocation) => assignPlace(sourceInfo, found);
    const located = Promise.all([
      details.locate(element).then(add),
      elements &&
        areaContextOf(box, elements, null, details.locate, (area) => {
          told.area = areaOf(area);
        }),
    ]);
    const more = elements ? undefined : details.explain(element).then(add);
    return { draft: told, element, located, more };
  }
  async function reach({ draft: { context }, more }: Described, line: HTMLElement): Promise<void> {
    await more;
    const found = await details.get();
    line.append(...found.reach(context, textButton));
  }
  /** What is drawn belongs to the element; where that is gone, to the place where it was. */
  const anchorOf =
    ({ draft: { context }, element }: Described) =>
    () =>
      element?.isConnected ? boxOf(element) : context.sourceInfo.elementInfo.boundingBox;
  async function addRemarks(about: Described, below: HTMLElement): Promise<void> {
    const field = await parts.remarks(about.draft.said, anchorOf(about));
    if (draft !== about.draft) return field.end();
    remarks = field;
    below.append(field.element);
  }
  function save({ draft, located, more }: Described, description: string, said: Remarks) {
    const { context, area, quote } = draft;
    const finish = () => {
      if (!unfinished.delete(finish)) return;
      const { id } = queue.add(context, description, { ...said, area, quote });
      saved({ ...context, description, inspectionId: id });
    };
    unfinished.add(finish);
    // What is not known by then is not worth keeping anybody.
    return within(PLACE_MS, located)
      .then(() => within(MORE_MS, more))
      .then(finish);
  }
  return {
    get isCut() {
      return !!draft;
    },
    async write(picked) {
      const about = picked ? describe(picked) : draft && ({ draft } as Described);
      if (!about) return false;
      const told = about.draft;
      draft = told;
      const place = h('span');
      const line = h('div', 'reach');
      const below = h('div', 'remarks');
      const show = () =>
        place.replaceChildren(...aboutText({ ...told.context, area: told.area }, open));
      show();
      void about.located?.then(show, show);
      if (!/^(area|elements)$/.test(picked?.mode ?? '') && !told.area)
        void reach(about, line).catch(() => line);
      void addRemarks(about, below).catch(() => below);
      const written = await note.write(told.box, [place, line], told.text, below);
      const said = saying();
      remarks?.end();
      remarks = undefined;
      draft = null;
      highlight.hide();
      if (!written) return false;
      const saving = save(about, written.text, said);
      if (!written.goOn) await saving;
      return written.goOn;
    },
    // Only now: a copy of this tab must not open the note as well.
    keep() {
      for (const finish of unfinished) finish();
      const kept = draft && JSON.stringify({ ...draft, said: saying(), text: note.text });
      if (kept) attempt(() => session().setItem(sessionKeys.draft, kept));
    },
  };
}

/** Waits for a promise, whatever comes of it, and not longer than so. */
const within = (ms: number, promise: Promise<unknown> | undefined) =>
  Promise.race([promise?.catch(() => null), new Promise((done) => setTimeout(done, ms))]);
