import type { ComponentChildren } from 'preact';
import { createPortal } from 'preact/compat';

export function Dialog(props: { children: ComponentChildren; onClose: () => void }) {
  return createPortal(
    <div class="dialog" role="dialog" aria-label="Ticket">
      {props.children}
      <p class="price">4,20 €, both ways</p>
      <button type="button" class="button close" onClick={props.onClose}>
        Close
      </button>
    </div>,
    document.body,
  );
}
