import { h } from '../../ui/dom';
import { createConnection } from './mcp/connection';
import { ask } from './mcp/questions';
import { createOverview } from './overview/overview';
import { createBanner } from './session/banner';
import { door } from './session/door';
import { createPass, enter, isCode, takeCode } from './session/entering';
import { createLive } from './session/live';
import type { Overview } from './session/overview';
import { enteringTexts as texts } from './texts';
import { createTools } from './tools/tools';

const VIEWS = ['overview', 'tools'] as const;
type View = (typeof VIEWS)[number];

/** The console in the frame that the companion's page has for it. */
export async function start(toolsets: Record<string, string[]>): Promise<void> {
  const pass = createPass();
  const place = (id: string) => document.getElementById(id) ?? document.body;
  // No link of the page leads to these ids: it would scroll them under the header.
  const viewPlace = (view: View) => place(`view-${view}`);
  const doorPlace = place('door');
  const nav = document.querySelector('nav');
  const { mcp = '', enter: entrance = '', events = '' } = document.body.dataset;
  const connection = createConnection({ path: mcp, token: () => pass.token, ask });
  const overview = createOverview();
  const tools = createTools(connection, toolsets);
  const banner = createBanner(() => live.wake());
  let run = 0;

  const live = createLive(events, () => pass.token, {
    overview: told,
    lost: (ms) => banner.lost(ms),
    expired: () => shut(texts.expired),
  });

  function told(now: Overview): void {
    banner.hide();
    overview.show(now);
    tools.show(now);
    const { startedAt } = now.companion;
    const wanted = run === 0 || connection.state.value.kind === 'on';
    if (startedAt !== run && wanted) void connection.connect();
    run = startedAt;
  }
  function shut(why: string): void {
    pass.lose();
    live.stop();
    banner.hide();
    void connection.disconnect();
    for (const view of VIEWS) viewPlace(view).hidden = true;
    if (nav) nav.hidden = true;
    doorPlace.replaceChildren(...door(why));
    doorPlace.hidden = false;
  }
  function showView(): void {
    if (!pass.token) return;
    const wanted = location.hash.slice(1);
    const view: View = VIEWS.find((each) => each === wanted) ?? 'overview';
    for (const each of VIEWS) viewPlace(each).hidden = each !== view;
    for (const link of nav?.querySelectorAll('a') ?? []) {
      if (link.hash === `#${view}`) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
  }
  async function useCode(code: string): Promise<boolean> {
    doorPlace.replaceChildren(h('p', { role: 'status' }, texts.entering));
    doorPlace.hidden = false;
    const token = await enter(entrance, code);
    if (token) pass.keep(token);
    return token !== null;
  }
  async function open(): Promise<void> {
    const code = takeCode();
    if (code && !(await useCode(code)) && !pass.token) return shut(texts.spent);
    if (!pass.token) return shut(texts.noLink);
    doorPlace.hidden = true;
    if (nav) nav.hidden = false;
    showView();
    live.start();
  }

  viewPlace('overview').append(overview.element);
  viewPlace('tools').append(tools.element);
  document.querySelector('main')?.before(banner.element);
  window.addEventListener('hashchange', () => {
    // A fresh link in the same tab.
    if (isCode(location.hash)) location.reload();
    else showView();
  });
  await open().catch(() => shut(texts.lost));
}
