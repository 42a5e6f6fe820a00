import { createState, type State } from '../basics';
import type { Connection } from '../connection/session';
import type { Highlight } from '../highlight';
import type { Picking } from '../picking';
import type { Queue } from '../queue/queue';
import { createBanner } from './banner';
import type { Host } from './host';
import type { Note } from './note';
import { createPanel } from './panel';
import { type OpenPlace, texts } from './texts';
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
  open: OpenPlace;
}

/** Puts the parts of the overlay together. Knows the queue, never the wire. Returns whether the panel is shown. */
export function fillOverlay(parts: OverlayParts): State<boolean> {
  const { host, picking, queue, connection, highlight, note, toasts, open } = parts;
  const panelShown = createState(false);
  queue.refused.on((message) => toasts.show(`${texts.notSent}: ${message}`));
  // The page may have put something on top since.
  picking.turn.watch(host.raise);
  host.root.append(
    createBanner(picking),
    note.element,
    ...highlight.elements,
    createPanel(queue, connection, panelShown, open),
    createToolbar(picking, queue, connection, panelShown),
    toasts.element,
  );
  return panelShown;
}
