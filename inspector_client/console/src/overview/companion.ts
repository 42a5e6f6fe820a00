import { type Child, freshId, h } from '../../../ui/dom';
import type { Overview } from '../session/overview';
import { overviewTexts as texts } from '../texts';
import { morph } from '../ui/morph';
import { timeElement } from '../ui/times';

/** What runs: project, version, endpoint, tab socket. */
export function companionCard(): { element: HTMLElement; show(overview: Overview): void } {
  const id = freshId('card');
  const facts = h('dl', 'facts');
  const paused = h('p', { class: 'notice', role: 'status' });
  return {
    element: h(
      'section',
      { class: 'card', 'aria-labelledby': id },
      h('h2', { id }, texts.companion),
      paused,
      facts,
    ),
    show({ companion, brakes }) {
      const text = brakes.everywhere ? texts.paused : '';
      if (paused.textContent !== text) paused.textContent = text;
      morph(facts, h('dl', 'facts', ...factsOf(companion)));
    },
  };
}

function factsOf({
  project,
  version,
  pid,
  mcpUrl,
  startedAt,
  tabSocket,
}: Overview['companion']): Node[] {
  const said = texts.tabSockets[tabSocket.state]?.(tabSocket.port) ?? tabSocket.state;
  return [
    ...fact(texts.project, h('b', {}, project)),
    ...fact(texts.mcp, h('code', {}, mcpUrl)),
    ...fact(texts.tabSocket, tabSocket.why ? `${said}: ${tabSocket.why}` : said),
    ...fact(texts.since, timeElement(startedAt)),
    ...fact(texts.version, `${version}, ${texts.pid(pid)}`),
  ];
}

function fact(name: string, ...value: Child[]): Node[] {
  return [h('dt', {}, name), h('dd', {}, ...value)];
}
