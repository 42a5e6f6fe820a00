import { type Child, h } from '../../../ui/dom';
import type { Agent, Inspection, Overview, Page, Tab } from '../session/overview';
import { overviewTexts as texts } from '../texts';
import { timeElement } from '../ui/times';

type Chrome = Overview['chromes'][number];
export type Server = { id: string; what: string; status: string; urls: string[]; by: string };

function row(title: Child[], ...lines: Child[][]): HTMLElement {
  const rest = lines.filter((line) => line.some(Boolean));
  return h('li', {}, h('div', 'title', ...title), ...rest.map((line) => h('div', 'line', ...line)));
}

function dot(kind: string): HTMLElement {
  return h('span', { class: `dot ${kind}`, 'aria-hidden': 'true' });
}

function badge(text: string, kind = ''): HTMLElement {
  return h('span', `badge ${kind}`.trim(), text);
}

/** Only a link if it leads somewhere on the web: a page may have any address. */
export function link(url: string): HTMLElement {
  if (!/^https?:\/\//.test(url)) return h('span', 'url', url);
  return h('a', { class: 'url', href: url, target: '_blank', rel: 'noreferrer' }, url);
}

const OUTCOMES: Record<string, string> = { ok: 'good', running: 'busy' };

export function agentRow({ name, connectedAt, page, lastCall }: Agent): HTMLElement {
  const call = lastCall
    ? [`${texts.lastCall} `, h('code', {}, lastCall.tool), ' ', timeElement(lastCall.at), ' ']
    : [texts.noCall];
  return row(
    [dot('good'), h('b', {}, name)],
    [`${texts.connected} `, timeElement(connectedAt), page ? ` · ${texts.onPage(page)}` : ''],
    [...call, lastCall && badge(lastCall.outcome, OUTCOMES[lastCall.outcome] ?? 'bad')],
  );
}

export function pageRow({ id, title, url, usedAt }: Page): HTMLElement {
  return row(
    [dot('good'), h('b', {}, title || texts.untitled), h('code', 'id', id)],
    [link(url)],
    [usedAt !== null && `${texts.used} `, usedAt !== null && timeElement(usedAt)],
  );
}

export function tabRow({ tabId, title, url, via, connectedAt }: Tab): HTMLElement {
  return row(
    [dot('good'), h('b', {}, title || texts.untitled), badge(texts.vias[via] ?? via)],
    [link(url)],
    [
      h('code', 'id', tabId),
      connectedAt !== null && ` · ${texts.connected} `,
      connectedAt !== null && timeElement(connectedAt),
    ],
  );
}

export function chromeRow({ address, launched, connected, tabs }: Chrome): HTMLElement {
  const by = launched ? texts.launched : texts.attached;
  return row(
    [dot(connected ? 'good' : 'off'), h('b', {}, address)],
    [connected ? by : texts.notConnected, tabs !== null && ` · ${texts.tabCount(tabs)}`],
  );
}

const STATUS: Record<string, string> = { completed: 'good', failed: 'bad', 'in-progress': 'busy' };

export function inspectionRow(item: Inspection): HTMLElement {
  const { number, note, status, page, updatedAt, message, progress } = item;
  const steps = progress && texts.steps(progress.done, progress.total);
  return row(
    [
      number !== null && h('span', 'inspection-number', String(number)),
      h('b', {}, note || texts.noNote),
      badge(texts.statuses[status] ?? status, STATUS[status]),
    ],
    [message && h('span', 'message', message)],
    [steps, progress?.step && ` · ${progress.step}`],
    [page && `${texts.onPage(page)} · `, timeElement(updatedAt)],
  );
}

export function serverRow({ what, status, urls, by }: Server): HTMLElement {
  const links = urls.flatMap((url) => [link(url), ' ']);
  const isUp = status === 'running' || status === 'ready';
  return row(
    [dot(isUp ? 'good' : 'off'), h('b', {}, what), badge(status, isUp ? 'good' : '')],
    links,
    [by],
  );
}

/** Dev servers with the plugin, and what agents started; each once. */
export function serversOf({ servers, devServers }: Overview): Server[] {
  const known = new Set(servers.flatMap(({ urls }) => urls));
  const others = devServers.filter(({ urls }) => !urls.some((url) => known.has(url)));
  return [
    ...others.map(({ server, root, urls }) => ({
      ...{ id: `dev ${root}`, what: server, status: 'running', urls },
      by: `${texts.devServer} · ${root}`,
    })),
    ...servers.map(({ id, command, status, urls, pid }) => ({
      ...{ id: `started ${id}`, what: id, status, urls },
      by: pid === null ? command : `${command} · ${texts.pid(pid)}`,
    })),
  ];
}
