import { h } from '../../../ui/dom';
import type { LogEntry, Outcome, TabState } from '../shared/messages';
import { createHead } from '../ui/head';
import { createHistory } from '../ui/history';
import type { Send } from '../ui/link';
import { createOutcome } from '../ui/outcome';
import { texts } from '../ui/texts';
import { createCommandsView } from './commands-view';
import { createConnectionView } from './connection-view';
import { createConsoleView } from './console-view';

export interface Panel {
  readonly element: HTMLElement;
  show(state: TabState): void;
  hear(entries: LogEntry[]): void;
  /** What `readPicture` gave. */
  showPicture(outcome: string, data: string): void;
}

/** The panel of one tab. */
export function createPanel(send: Send): Panel {
  let state: TabState | null = null;
  /** The outcome that the user looks at; null: the newest, whichever that is. */
  let chosen: string | null = null;

  const head = createHead(send);
  const connection = createConnectionView(send, head.focus);
  const commands = createCommandsView(send, (outcome) => choose(outcome));
  const response = createOutcome((outcome) => send({ type: 'readPicture', outcome }));
  const console = createConsoleView(send);
  const history = createHistory({
    choose,
    again(outcome) {
      commands.again(outcome);
    },
  });

  function choose({ id }: Outcome): void {
    chosen = id === state?.outcomes[0]?.id ? null : id;
    showOutcomes();
  }
  function showOutcomes(): void {
    if (!state) return;
    const { outcomes, connection } = state;
    const outcome = outcomes.find(({ id }) => id === chosen) ?? outcomes[0] ?? null;
    response.show({ state, outcome });
    history.show({
      outcomes,
      chosen: outcome?.id ?? null,
      canRun: connection === 'connected' || connection === 'executing',
    });
  }
  const element = h(
    'main',
    'panel',
    h('h1', 'unseen', texts.product),
    head.element,
    h('div', 'column', connection.element, commands.element),
    h('div', 'column', response.element, history.element, console.element),
  );
  return {
    element,
    show(next) {
      state = next;
      document.title = texts.titleOf(next.title || texts.noTitle);
      for (const part of [head, connection, commands, console]) part.show(next);
      showOutcomes();
    },
    hear: (entries) => console.hear(entries),
    showPicture: response.showPicture,
  };
}
