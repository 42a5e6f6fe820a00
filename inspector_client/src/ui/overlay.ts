import type { State } from '../basics';
import type { Connection } from '../connection/session';
import { boxOf } from '../element/deep';
import type { Highlight } from '../highlight';
import type { Picked, Picking } from '../picking';
import type { SourceLocation } from '../protocol';
import type { Queue } from '../queue/queue';
import { createBanner } from './banner';
import type { Host } from './host';
import type { Note } from './note';
import { createPanel } from './panel';
import { texts } from './texts';
import type { Toasts } from './toasts';
import { createToolbar } from './toolbar';

interface OverlayParts {
  host: Host;
  picking: Picking;
  queue: Queue;
  connection: State<Connection>;
  highlight: Highlight;
  note: Note;
  toasts: Toasts;
}

/** Puts the parts of the overlay together. Knows the queue, never the wire. */
export function mountOverlay(parts: OverlayParts): { openPanel(): void } {
  const { host, picking, queue, connection, highlight, note, toasts } = parts;
  const panel = createPanel(queue, connection);
  const toolbar = createToolbar({ picking, queue, connection, panel });
  picking.waiting.watch((count) => note.showWaiting(count > 0 ? texts.waiting(count) : ''));
  picking.turn.watch((turn) => {
    if (turn.who !== 'nobody') host.raise();
  });
  queue.onRefused((message) => toasts.show(texts.refused(message)));
  host.root.append(
    ...highlight.elements,
    panel.element,
    toolbar,
    note.element,
    createBanner(picking),
    toasts.element,
  );
  return { openPanel: panel.open };
}

/** What the note's head says of the thing that was picked. */
export function aboutText(
  picked: Picked,
  count: number,
  source: SourceLocation | undefined,
): string {
  const what = picked.mode === 'area' ? texts.area(count) : `<${picked.element.localName}>`;
  const place = source?.file ? `${source.file}:${source.line}` : '';
  return [what, source?.component, place].filter(Boolean).join('  ');
}

export function boxOfPicked(picked: Picked) {
  return picked.mode === 'area' ? picked.bounds : boxOf(picked.element);
}
