import type { Tool } from '@modelcontextprotocol/client';
import { h } from '../../../ui/dom';
import { createHistoryView } from '../history/history';
import { createHistory, type HistoryEntry } from '../history/store';
import type { Connection } from '../mcp/connection';
import { createResponse } from '../response/response';
import type { Overview } from '../session/overview';
import { connectionCard } from './connection-card';
import { createRunner } from './runner';
import { createTargets } from './targets';
import { createToolCard } from './tool-card';
import { createToolList } from './tool-list';

/** The test client: every tool as a form, what it answered, and what was run before. */
export function createTools(
  connection: Connection,
  toolsets: Record<string, string[]>,
): { element: HTMLElement; show(overview: Overview): void } {
  const store = createHistory();
  const response = createResponse();
  const targets = createTargets();
  const runner = createRunner(connection, (outcome, args) => {
    response.show(outcome);
    store.add(outcome, args);
  });
  const card = createToolCard({
    runner,
    tab: () => targets.chosen.value,
    isConnected: () => connection.state.value.kind === 'on',
    cleared: () => response.show(undefined),
  });
  const list = createToolList(toolsets, (tool) => {
    list.mark(tool.name);
    card.show(tool);
  });
  const history = createHistoryView({
    store,
    isDestructive: (name) => toolNamed(name)?.annotations?.destructiveHint !== false,
    load,
    show: (entry) => response.show(entry),
    run(entry) {
      load(entry);
      void runner.run(entry.tool, entry.args);
    },
  });

  function toolNamed(name: string): Tool | undefined {
    const now = connection.state.value;
    return now.kind === 'on' ? now.tools.find((tool) => tool.name === name) : undefined;
  }
  function load(entry: HistoryEntry): void {
    const tool = toolNamed(entry.tool);
    if (!tool) return;
    list.mark(tool.name);
    card.show(tool, entry.args);
  }

  targets.chosen.watch((tabId) => card.retarget(tabId));
  connection.state.watch((now) => list.show(now.kind === 'on' ? now.tools : []));
  return {
    element: h(
      'div',
      'tools-view',
      h('div', 'side', connectionCard(connection), targets.element, list.element),
      h('div', 'middle', card.element, response.element),
      h('div', 'end', history),
    ),
    show: (overview) => targets.show(overview),
  };
}
