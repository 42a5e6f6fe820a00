import type { WorkbenchParts } from '../workbench';

/** Who opens the panel by a key goes on in it, and is back where he was when it closes. */
export function followFocus(
  { host: { root }, panelShown, picking }: Pick<WorkbenchParts, 'host' | 'panelShown' | 'picking'>,
  panel: HTMLElement,
): void {
  let before: HTMLElement | null = null;

  panelShown.watch((shown) => {
    if (!shown) {
      // What is hidden has lost the focus, to nobody; who has it now has been given it since.
      const { activeElement } = document;
      const isFree = !activeElement || activeElement === document.body;
      if (isFree || panel.contains(root.activeElement)) before?.focus({ preventScroll: true });
      before = null;
      return;
    }
    const focused = (root.activeElement ?? document.activeElement) as HTMLElement | null;
    // A note that was saved opens it as well, but who wrote it goes on where he was.
    if (picking.turn.value.who !== 'nobody') return;
    // The toolbar's button has the focus only if a key brought it there: a press does not.
    if (!root.activeElement?.ariaExpanded && !isShortcut()) return;
    before = focused;
    panel.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus();
  });
}

const isShortcut = () => window.event?.type === 'keydown';
