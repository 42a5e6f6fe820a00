import { createMemo, createSignal, Show } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { Button } from './components/Button';
import { EpisodeCard } from './components/EpisodeCard';
import { List } from './components/List';
import { Notes } from './components/Notes';
import { Panel } from './components/Panel';
import { EPISODES, type Episode } from './episodes';

export function App() {
  const [queue, setQueue] = createSignal<string[]>(['harbour', 'maps']);
  const [opened, setOpened] = createSignal<Episode | null>(null);
  const queued = createMemo(() => EPISODES.filter(({ id }) => queue().includes(id)));
  const minutes = createMemo(() => queued().reduce((sum, episode) => sum + episode.minutes, 0));

  function toggle({ id }: Episode) {
    setQueue((ids) => (ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]));
  }

  return (
    <>
      <header class="top">
        <a class="brand" href="/">
          murmur
        </a>
        <nav>
          <a href="#new">New</a>
          <a href="#shows">Shows</a>
        </nav>
      </header>
      <main>
        <section class="intro">
          <h1>For the walk home</h1>
          <p class="lead">Four episodes, none longer than your way.</p>
        </section>
        <div class="columns">
          <List<Episode> items={EPISODES} class="episodes">
            {(episode) => (
              <EpisodeCard
                episode={episode}
                queued={queue().includes(episode.id)}
                onToggle={toggle}
                onOpen={setOpened}
              />
            )}
          </List>
          <Panel
            title="Queue"
            note={<span class="badge">{minutes()} min</span>}
            footer={
              <>
                <span>Home by</span>
                <strong class="arrival">{18 + Math.floor(minutes() / 60)}:40</strong>
              </>
            }
          >
            <Show
              when={queued().length > 0}
              fallback={<p class="empty">Nothing queued. Enjoy the silence.</p>}
            >
              <List<Episode> items={queued()} class="queue">
                {(episode) => <span class="queued">{episode.title}</span>}
              </List>
            </Show>
            <Dynamic component="h3" class="hint">
              Up next
            </Dynamic>
            <Button class="clear" onClick={() => setQueue([])}>
              Clear the queue
            </Button>
          </Panel>
        </div>
      </main>
      <Show when={opened()}>
        {(episode) => <Notes episode={episode()} onClose={() => setOpened(null)} />}
      </Show>
    </>
  );
}
