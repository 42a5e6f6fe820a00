import type { State } from './basics';
import { commonContainer, elementsIn } from './element/area';
import { contextOf } from './element/context';
import type { Highlight } from './highlight';
import type { Picked } from './picking';
import type { ElementContext, SourceLocation } from './protocol';
import type { Queue } from './queue/queue';
import type { Note } from './ui/note';
import { aboutText, boxOfPicked } from './ui/overlay';
import { texts } from './ui/texts';

interface UserNoteParts {
  host: Element;
  note: Note;
  highlight: Highlight;
  queue: Queue;
  waiting: () => State<number>;
  locate(element: Element): Promise<SourceLocation>;
  saved(context: ElementContext & { description: string; inspectionId: string }): void;
}

/** From the user's pick to the inspection in the queue. */
export function createUserNote(parts: UserNoteParts): (picked: Picked) => Promise<void> {
  const { host, note, highlight, queue, locate, saved } = parts;
  return async (picked) => {
    const inside = picked.mode === 'area' ? elementsIn(picked.bounds, host) : [picked.element];
    const element = commonContainer(inside);
    if (!element) return;
    // Described now, as it was when the user pointed; the text comes later.
    const described = contextOf(element, locate);
    const box = boxOfPicked(picked);
    const label = picked.mode === 'area' ? texts.areaLabel : element.localName;
    if (picked.mode === 'area') highlight.area(box);
    else highlight.element(element, { tag: label });
    const waiting = parts.waiting().value;
    const about = aboutText(picked, inside.length, await quick(described));
    const description = await note.write(box, about, waiting ? texts.waiting(waiting) : '');
    highlight.hide();
    if (description === null) return;
    const context = await described;
    const item = queue.add(context, description);
    saved({ ...context, description, inspectionId: item.id });
  };
}

const QUICK_MS = 250;

/** The source location for the note's head, if it is there soon; the field must not wait for it. */
function quick(described: Promise<ElementContext>): Promise<SourceLocation | undefined> {
  const soon = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), QUICK_MS));
  return Promise.race([described.then(({ sourceInfo }) => sourceInfo), soon]);
}
