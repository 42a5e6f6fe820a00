import type { State } from '../basics';
import type { Connection } from '../connection/session';
import type { Highlight } from '../highlight';
import type { Pointing } from '../picker';
import type { Picking } from '../picking';
import type { Queue } from '../queue/queue';
import type { Settings } from '../settings';
import { createBanner } from './banner';
import type { Host } from './host';
import type { Note } from './note';
import { texts } from './texts';
import type { Toasts } from './toasts';
import { createToolbar } from './toolbar';

interface OverlayParts {
  host: Host;
  picking: Picking;
  pointing: Pointing;
  settings: State<Settings>;
  queue: Queue;
  connection: State<Connection>;
  highlight: Highlight;
  note: Note;
  toasts: Toasts;
  /** Whether the panel is to be seen. */
  panelShown: State<boolean>;
}

/** Puts the parts of the overlay together. Knows the queue, never the wire. Returns how more parts come below the toolbar. */
export function fillOverlay(parts: OverlayParts): (...elements: HTMLElement[]) => void {
  const {
    host,
    picking,
    pointing,
    settings,
    queue,
    connection,
    highlight,
    note,
    toasts,
    panelShown,
  } = parts;
  const toolbar = createToolbar(picking, settings, queue, connection, panelShown);
  queue.refused.on((message) => toasts.show(`${texts.notSent}: ${message}`));
  // The page may have put something on top since.
  picking.turn.watch(host.raise);
  host.root.append(
    createBanner(picking, pointing),
    note.element,
    highlight.box,
    toolbar,
    toasts.element,
  );
  return (...elements) => toolbar.before(...elements);
}
