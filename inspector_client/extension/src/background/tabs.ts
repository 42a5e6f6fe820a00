// All tabs, and the views that show them.
import type { ToView, ToWorker } from '../shared/messages';
import { createDebuggee } from './debuggee';
import { type Everything, forgetTab, isPort, keepConsole, keepPort, keepTab } from './kept';
import { paced } from './pace';
import { createInPage } from './page/in-page';
import { badgeOf } from './rules/badge';
import { isOpen } from './rules/machine';
import { openSocket } from './socket';
import { createTab, type Tab } from './tab';

/** So often at most, in ms, views are told, and a console is kept. */
const TELL_MS = 50;
const KEEP_MS = 1000;

/** What a view watches, and how many of its outcomes it was told of. */
interface Watched {
  tab: number;
  outcomes: number;
}

export interface Tabs {
  get(tab: number): Tab;
  /** None that nobody asked for. */
  known(tab: number): Tab | undefined;
  /** `early`: what the view said before. */
  watch(view: chrome.runtime.Port, early: unknown[]): void;
  removed(tab: number): void;
}

export function createTabs({ port, tabs: keptTabs, consoles }: Everything): Tabs {
  const tabs = new Map<number, Tab>();
  const views = new Map<chrome.runtime.Port, Watched>();
  /** Views that list the connected tabs. */
  const lists = new Set<chrome.runtime.Port>();
  const client = `pageside-extension/${chrome.runtime.getManifest().version}`;
  const inPage = createInPage(async (path) => (await fetch(chrome.runtime.getURL(path))).text());

  const told = (view: chrome.runtime.Port, message: ToView) => view.postMessage(message);
  function tell(tab: number): void {
    for (const [view, watched] of views) if (watched.tab === tab) tellView(view, watched);
  }
  function tellView(view: chrome.runtime.Port, watched: Watched): void {
    const { state, outcomes } = get(watched.tab);
    told(view, { type: 'state', state, news: outcomes.after(watched.outcomes) });
    watched.outcomes = outcomes.count;
  }
  function list(view: chrome.runtime.Port): void {
    const connected = [...tabs].filter(([, { state }]) => isOpen(state.connection));
    told(view, { type: 'tabs', tabs: connected.map(([tab]) => tab) });
  }
  async function mark(tab: number): Promise<void> {
    const { text, colour, title } = badgeOf(get(tab).state);
    try {
      await Promise.all([
        chrome.action.setBadgeText({ tabId: tab, text }),
        chrome.action.setBadgeBackgroundColor({ tabId: tab, color: colour }),
        chrome.action.setTitle({ tabId: tab, title }),
      ]);
    } catch (error) {
      console.debug('the tab is gone:', error);
    }
  }

  function get(tab: number): Tab {
    const known = tabs.get(tab);
    if (known) return known;
    const changed = paced(TELL_MS, () => {
      if (!tabs.has(tab)) return;
      tell(tab);
      for (const view of lists) list(view);
      void mark(tab);
    });
    const logged = paced(KEEP_MS, () => {
      const own = tabs.get(tab);
      if (own) void keepConsole(tab, own.keptConsole());
    });
    const made = createTab(
      tab,
      {
        debuggee: createDebuggee(tab),
        inPage,
        open: openSocket,
        client,
        port: () => port,
        about: () => aboutOf(tab),
        targetId: () => targetOf(tab),
        changed,
        keep: (kept) => tabs.has(tab) && void keepTab(tab, kept),
        logged,
      },
      keptTabs.get(tab),
      consoles.get(tab),
    );
    tabs.set(tab, made);
    return made;
  }

  function heard(view: chrome.runtime.Port, message: ToWorker): void {
    if (message.type === 'watch') {
      const watched = { tab: message.tab, outcomes: 0 };
      views.set(view, watched);
      tellView(view, watched);
      chrome.tabs.get(message.tab).catch(() => removed(message.tab));
      return;
    }
    if (message.type === 'watchTabs') {
      lists.add(view);
      list(view);
      return;
    }
    const watched = views.get(view);
    if (watched === undefined) return;
    const tab = get(watched.tab);
    if (message.type === 'setPort') setPort(tab, message.port);
    else if (message.type === 'readConsole')
      told(view, { type: 'console', entries: tab.newest(message.max) });
    else if (message.type === 'readPicture')
      told(view, {
        type: 'picture',
        outcome: message.outcome,
        data: tab.outcomes.picture(message.outcome),
      });
    else obey(tab, message);
  }
  function setPort(tab: Tab, given: number): void {
    if (!isPort(given)) {
      tab.fail('INVALID_ARGUMENTS', `A port is a whole number from 1 to 65535, not ${given}.`);
      return;
    }
    port = given;
    void keepPort(given);
    for (const each of tabs.values()) each.moved();
    for (const [view, watched] of views) tellView(view, watched);
  }
  function removed(tab: number): void {
    tabs.get(tab)?.removed();
    tabs.delete(tab);
    for (const [view, watched] of views) {
      if (watched.tab !== tab) continue;
      views.delete(view);
      told(view, { type: 'closed' });
    }
    for (const view of lists) list(view);
    void forgetTab(tab);
  }

  for (const [tab, kept] of keptTabs) if (kept.isWanted) get(tab);
  return {
    get,
    known: (tab) => tabs.get(tab),
    watch(view, early) {
      for (const message of early) heard(view, message as ToWorker);
      view.onMessage.addListener((message) => heard(view, message as ToWorker));
      view.onDisconnect.addListener(() => {
        views.delete(view);
        lists.delete(view);
      });
    },
    removed,
  };
}

type Order = Exclude<
  ToWorker,
  { type: 'watch' | 'watchTabs' | 'setPort' | 'readConsole' | 'readPicture' }
>;

function obey(tab: Tab, order: Order): void {
  if (order.type === 'connect') tab.connect();
  else if (order.type === 'disconnect') tab.disconnect();
  else if (order.type === 'allowScripts') tab.allowScripts(order.allowed);
  else if (order.type === 'run') tab.run(order.command, order.params);
  else if (order.type === 'clearConsole') tab.clearConsole();
}

async function aboutOf(tab: number): Promise<{ url: string; title: string }> {
  try {
    const { url = '', title = '' } = await chrome.tabs.get(tab);
    return { url, title };
  } catch {
    // It was closed meanwhile.
    return { url: '', title: '' };
  }
}

async function targetOf(tab: number): Promise<string | undefined> {
  const targets = await chrome.debugger.getTargets();
  return targets.find(({ tabId }) => tabId === tab)?.id;
}
