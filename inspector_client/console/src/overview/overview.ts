import { h } from '../../../ui/dom';
import type { Overview } from '../session/overview';
import { overviewTexts as texts } from '../texts';
import { card } from './card';
import { companionCard } from './companion';
import { agentRow, chromeRow, inspectionRow, pageRow, serverRow, serversOf, tabRow } from './rows';
import { createTimeline } from './timeline';

/** Everything that goes on, kept as it is told. */
export function createOverview(): { element: HTMLElement; show(overview: Overview): void } {
  const companion = companionCard();
  const agents = card({
    ...{ title: texts.agents, empty: texts.noAgents, render: agentRow },
    key: ({ name }) => name,
  });
  const pages = card({
    ...{ title: texts.pages, empty: texts.noPages, render: pageRow },
    key: ({ id }) => id,
  });
  const tabs = card({
    ...{ title: texts.tabs, empty: texts.noTabs, render: tabRow },
    key: ({ tabId, via }) => `${via} ${tabId}`,
  });
  const chromes = card({
    ...{ title: texts.chromes, empty: texts.noChromes, render: chromeRow },
    key: ({ address }) => address,
  });
  const inspections = card({
    ...{ title: texts.inspections, empty: texts.noInspections, render: inspectionRow },
    key: ({ id }) => id,
  });
  const servers = card({
    ...{ title: texts.servers, empty: texts.noServers, render: serverRow },
    key: ({ id }) => id,
  });
  const timeline = createTimeline();
  const cards = [companion, agents, pages, tabs, inspections, servers, chromes, timeline];
  const grid = h('div', { class: 'cards', hidden: true }, ...cards.map(({ element }) => element));
  const waiting = h('p', 'empty', texts.waiting);

  return {
    element: h('div', 'overview', waiting, grid),
    show(overview) {
      waiting.hidden = true;
      grid.hidden = false;
      companion.show(overview);
      const named = byTitle(overview);
      agents.show(overview.agents.map(named));
      pages.show(overview.pages);
      tabs.show(overview.tabs);
      chromes.show(overview.chromes);
      inspections.show(overview.inspections.map(named), overview.inspectionCount);
      servers.show(serversOf(overview));
      timeline.show(overview.timeline, overview.companion.startedAt);
    },
  };
}

/** With the title of its page in place of the id. */
function byTitle({ pages }: Overview): <T extends { page?: string | null }>(item: T) => T {
  const titles = new Map(pages.map(({ id, title }) => [id, title]));
  return (item) => (item.page ? { ...item, page: titles.get(item.page) || item.page } : item);
}
