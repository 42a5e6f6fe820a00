import type { Tool } from '@modelcontextprotocol/client';
import { button, freshId, h } from '../../../ui/dom';
import { toolTexts as texts } from '../texts';
import { type Arguments, aboutTab, createArguments } from './arguments';
import type { Args } from './check';
import { createRunBar } from './run-bar';
import type { Runner } from './runner';

export interface ToolCardOptions {
  runner: Runner;
  /** The tab that calls are for; empty: none. */
  tab(): string;
  isConnected(): boolean;
  /** The response is no longer wanted. */
  cleared(): void;
}

export interface ToolCard {
  element: HTMLElement;
  /** Shows the tool with these arguments, or those that it had last. */
  show(tool: Tool, args?: Args): void;
  /** Another tab is meant. */
  retarget(tabId: string): void;
}

/** One tool: what it does, its arguments, and the buttons that run it. */
export function createToolCard(options: ToolCardOptions): ToolCard {
  const id = freshId('tool');
  const heading = h('h2', { id, tabindex: -1 }, texts.choose);
  const about = h('div', 'about', h('p', 'empty', texts.chooseHint));
  const place = h('div');
  const warning = h('p', { class: 'notice', role: 'alert', hidden: true });
  const bar = createRunBar({ runner: options.runner, execute: () => execute(), clear });
  const drafts = new Map<string, Args>();
  let shown: { tool: Tool; own: Arguments } | undefined;
  bar.hidden = true;

  function warn(...parts: (string | Node)[]): void {
    warning.replaceChildren(...parts);
    warning.hidden = parts.length === 0;
  }
  function execute(isAnyway = false): void {
    if (!shown || options.runner.running.value) return;
    const wrong = shown.own.review();
    warn();
    if (wrong === null) return;
    if (!options.isConnected()) warn(texts.notConnected);
    else if (wrong && !isAnyway) warn(`${texts.wrong(wrong)} `, anyway());
    else void options.runner.run(shown.tool.name, shown.own.args.value);
  }
  function anyway(): HTMLElement {
    return button(texts.anyway, () => execute(true));
  }
  function clear(): void {
    shown?.own.clear();
    warn();
    options.cleared();
  }
  function show(tool: Tool, given?: Args): void {
    const { name } = tool;
    const args = given ?? { ...drafts.get(name), ...aboutTab(tool, options.tab()) };
    const own = createArguments(tool, args, () => execute());
    own.args.watch((value) => drafts.set(name, value));
    shown = { tool, own };
    heading.replaceChildren(name);
    about.replaceChildren(...aboutTool(tool));
    place.replaceChildren(own.element);
    warn();
    bar.hidden = false;
  }

  return {
    element: h(
      'section',
      {
        class: 'card tool-card',
        'aria-labelledby': id,
        onkeydown(event: KeyboardEvent) {
          const isWanted = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
          if (!isWanted || event.defaultPrevented) return;
          event.preventDefault();
          execute();
        },
      },
      heading,
      ...[about, place, warning, bar],
    ),
    show(tool, args) {
      show(tool, args);
      heading.focus();
    },
    retarget(tabId) {
      if (!shown) return;
      const { args } = shown.own;
      const more = aboutTab(shown.tool, tabId);
      if (Object.keys(more).length) args.set({ ...args.value, ...more });
    },
  };
}

function aboutTool({ title, description, annotations = {} }: Tool): Node[] {
  const { readOnlyHint, destructiveHint } = annotations;
  const badge = readOnlyHint
    ? h('span', 'badge good', texts.hints.readOnly)
    : destructiveHint && h('span', 'badge bad', texts.hints.destructive);
  return [
    h('p', 'line', title && h('b', {}, title), ' ', badge),
    ...(description ? [h('p', 'description', description)] : []),
  ];
}
