import { Show } from 'solid-js';
import type { Episode } from '../episodes';
import { Button } from './Button';
import { Wave } from './Wave';

interface EpisodeCardProps {
  episode: Episode;
  queued: boolean;
  onToggle: (episode: Episode) => void;
  onOpen: (episode: Episode) => void;
}

export function EpisodeCard(props: EpisodeCardProps) {
  return (
    <article class="episode" style={{ '--hue': props.episode.hue }}>
      <Wave levels={props.episode.levels} />
      <div class="episode-body">
        <small class="show">{props.episode.show}</small>
        <h3>{props.episode.title}</h3>
        <div class="actions">
          <Button aria-pressed={props.queued} onClick={() => props.onToggle(props.episode)}>
            {props.queued ? 'Queued' : 'Queue'}
          </Button>
          <button type="button" class="quiet" onClick={() => props.onOpen(props.episode)}>
            Notes
          </button>
          <Show
            when={props.queued}
            fallback={<span class="length">{props.episode.minutes} min</span>}
          >
            <span class="tag">✓ {props.episode.minutes} min</span>
          </Show>
        </div>
      </div>
    </article>
  );
}
