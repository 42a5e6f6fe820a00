import { Portal } from 'solid-js/web';
import type { Episode } from '../episodes';

export function Notes(props: { episode: Episode; onClose: () => void }) {
  return (
    <Portal>
      <div class="notes" role="dialog" aria-label="Notes">
        <h2 class="notes-title">{props.episode.title}</h2>
        <div class="prose" innerHTML={props.episode.notes} />
        <button type="button" class="button close" onClick={() => props.onClose()}>
          Close
        </button>
      </div>
    </Portal>
  );
}
