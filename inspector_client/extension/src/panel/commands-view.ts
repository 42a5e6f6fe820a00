import { button, h } from '../../../ui/dom';
import { segments } from '../../../ui/segments';
import type { Command, Outcome, TabState } from '../shared/messages';
import { createAwaited } from '../ui/awaited';
import { createCommandForm } from '../ui/command-form';
import { commandForms } from '../ui/commands';
import { keep, readKept } from '../ui/kept';
import type { Send } from '../ui/link';
import { type Part, section } from '../ui/part';
import { shortName, texts } from '../ui/texts';
import { createRunButton } from './run-button';

const KEPT = 'command';

export interface CommandsView extends Part<TabState> {
  /** Puts a command back into its form, and runs it. */
  again(outcome: Outcome): void;
}

const canRun = ({ connection }: TabState): boolean =>
  connection === 'connected' || connection === 'executing';

/** A form for each command; `done` is told what came of one. */
export function createCommandsView(send: Send, done: (outcome: Outcome) => void): CommandsView {
  const awaited = createAwaited();
  const forms = new Map(commandForms.map((each) => [each.name, createCommandForm(each)]));
  const names = Object.fromEntries(commandForms.map(({ name }) => [name, shortName(name)]));
  const chips = segments(
    texts.command,
    names as Record<Command, string>,
    'kapturemcp_navigate',
    choose,
  );
  const run = createRunButton();
  const place = h('div', 'form-place');
  let command: Command = 'kapturemcp_navigate';
  let state: TabState | null = null;

  function show(chosen: Command): void {
    command = chosen;
    chips.set(chosen);
    const form = forms.get(chosen);
    if (form) place.replaceChildren(form.element);
  }
  function choose(chosen: Command): void {
    show(chosen);
    keep(KEPT, chosen);
  }
  function start(params: Record<string, unknown>): void {
    if (!state) return;
    awaited.begin(command, state.outcomes);
    run.begin();
    send({ type: 'run', command, params });
  }
  function submitted(event: Event): void {
    event.preventDefault();
    if (!run.isReady) return;
    const params = forms.get(command)?.read();
    if (params) start(params);
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    submitted(event);
  }
  const clear = button(texts.clear, () => forms.get(command)?.clear());
  const form = h(
    'form',
    { novalidate: true, onsubmit: submitted },
    chips.element,
    place,
    h('div', 'row', run.element, clear),
  );
  form.addEventListener('keydown', onKey);
  show(command);
  void readKept(KEPT).then((kept) => {
    if (commandForms.some(({ name }) => name === kept)) show(kept as Command);
  });
  return {
    element: section(texts.commands, 'commands', form),
    show(next) {
      state = next;
      const result = awaited.settle(next);
      if (result) run.end(result === 'lost' ? texts.lost : '');
      run.show(canRun(next) ? '' : texts.connectFirst);
      if (result && result !== 'lost') done(result);
    },
    again({ command: before, params }) {
      if (!run.isReady) return;
      choose(before);
      forms.get(before)?.fill(params);
      start(params);
    },
  };
}
