import { areaOf, commonContainer, elementsIn } from './element/area';
import { contextOf } from './element/context';
import { boxOf } from './element/deep';
import type { Highlight } from './highlight';
import type { Picked } from './picking';
import type { ElementContext, SourceLocation } from './protocol';
import type { Queue } from './queue/queue';
import type { Note } from './ui/note';
import { aboutText } from './ui/texts';

interface UserNoteParts {
  host: Element;
  note: Note;
  highlight: Highlight;
  queue: Queue;
  locate(element: Element): Promise<SourceLocation>;
  saved(context: ElementContext & { description: string; inspectionId: string }): void;
}

/** From the user's pick to the inspection in the queue. */
export function createUserNote(parts: UserNoteParts): (picked: Picked) => Promise<void> {
  const { host, note, highlight, queue, locate, saved } = parts;
  return async (picked) => {
    const inside = picked.mode === 'area' ? elementsIn(picked.bounds, host) : [picked.element];
    const element = commonContainer(inside);
    const box = picked.mode === 'area' ? picked.bounds : boxOf(element);
    if (picked.mode === 'area') highlight.area(box);
    else highlight.element(element, element.localName);
    // Described now, as it is while the user points; what he types may take minutes.
    const context = await contextOf(element, locate);
    const area = picked.mode === 'area' ? await areaOf(box, inside, locate) : undefined;
    const description = await note.write(box, aboutText({ ...context, area }));
    highlight.hide();
    if (description === null) return;
    const { id } = queue.add(context, description, area);
    saved({ ...context, description, inspectionId: id });
  };
}
