// One tab of the user's: its link to the companion, its debugger, its queue and its console.
import { LIMITS } from '../shared/contract';
import type { Command, LogEntry, Outcome, TabNow } from '../shared/messages';
import { createAttachment } from './attachment';
import type { Debuggee } from './debuggee';
import { createLink, goneBecause } from './link';
import { createOutcomes, type Outcomes } from './outcomes';
import { perform } from './page/commands';
import type { InPage } from './page/in-page';
import { createRepeats, entryOf } from './rules/entries';
import { CommandError, failureOf } from './rules/failure';
import { checkedName, limitOf, type Name } from './rules/params';
import { createQueue, type Ended } from './rules/queue';
import { createRing, type KeptEntries } from './rules/ring';
import { createSecrets } from './rules/secrets';
import { type Incoming, responseOf } from './rules/wire';
import type { OpenSocket } from './socket';

/** What survives a restart of the worker. */
export interface Kept {
  tabId: string;
  isWanted: boolean;
  scriptsAllowed: boolean;
  scriptWanted: boolean;
}
export interface KeptConsole extends KeptEntries {
  newest: Record<string, number>;
}

export interface Surroundings {
  debuggee: Debuggee;
  inPage: InPage;
  open: OpenSocket;
  client: string;
  port(): number;
  /** URL and title as Chrome lists them. */
  about(): Promise<{ url: string; title: string }>;
  targetId(): Promise<string | undefined>;
  changed(): void;
  keep(kept: Kept): void;
  /** Something was logged: `keptConsole` has changed. */
  logged(): void;
}

export interface Tab {
  readonly state: TabNow;
  readonly outcomes: Outcomes;
  connect(): void;
  /** The companion listens on another port: what is tried again by itself is tried there, now. */
  moved(): void;
  disconnect(): void;
  allowScripts(allowed: boolean): void;
  /** By the user's form. */
  run(command: Command, params: Record<string, unknown>): void;
  newest(max: number): LogEntry[];
  clearConsole(): void;
  fail(code: string, message: string): void;
  /** Of Chrome's debugger. */
  event(method: string, params: object, session: string | undefined): void;
  detached(isByUser: boolean): void;
  /** Chrome lists the tab otherwise now. */
  listed(about: { url: string | undefined; title: string | undefined }): void;
  removed(): void;
  keptConsole(): KeptConsole;
}

const KEPT_CHARS = 100_000;

export function createTab(
  tab: number,
  around: Surroundings,
  kept: Kept | undefined,
  keptConsole: KeptConsole | undefined,
): Tab {
  let { tabId, scriptsAllowed, scriptWanted } = kept ?? NEW;
  let [url, title] = ['', ''];
  let running: TabNow['running'] = null;
  const ring = createRing(LIMITS.consoleEntries);
  const repeats = createRepeats(keptConsole?.newest);
  const attachment = createAttachment(around.debuggee, around.inPage, repeats);
  const secrets = createSecrets();
  const outcomes = createOutcomes();
  if (keptConsole) ring.restore(keptConsole);

  const link = createLink({
    open: around.open,
    port: around.port,
    prepare,
    release,
    async introduction() {
      const [targetId] = await Promise.all([around.targetId(), look()]);
      const { client } = around;
      return { type: 'register', tabId, ...about(), ...(targetId ? { targetId } : {}), client };
    },
    registered() {
      keep();
      link.send({ type: 'update', scriptsAllowed });
    },
    said,
    lost: () => queue.clear(goneBecause('The connection to the companion ended.')),
    renamed() {
      tabId = '';
    },
    changed: around.changed,
  });
  const queue = createQueue({
    size: LIMITS.commandsPerTab,
    stop: async () => attachment.page?.stop(),
    changed: around.changed,
  });

  const about = () => ({
    url: url.slice(0, LIMITS.urlChars),
    title: title.slice(0, LIMITS.titleChars),
  });
  const keep = () => around.keep({ tabId, isWanted: link.isWanted, scriptsAllowed, scriptWanted });
  async function look(): Promise<void> {
    ({ url, title } = await around.about());
  }

  async function prepare(): Promise<void> {
    tabId ||= crypto.randomUUID();
    await look();
    await attachment.attach();
  }
  function release(): void {
    keep();
    attachment.detach(goneBecause('The tab was disconnected.'));
  }

  // Commands

  function said(message: Incoming): void {
    if (message.type === 'cancel') queue.cancel(message.id);
    if (message.type !== 'command') return;
    const { id, command, params, timeoutMs } = message;
    take(id, 'agent', command, params, timeoutMs);
  }
  function take(
    id: string,
    by: 'agent' | 'user',
    name: string,
    params: Record<string, unknown>,
    asked?: number,
  ): void {
    const answer = by === 'agent' ? (how: Ended) => link.send(responseOf(id, how)) : null;
    try {
      const command = checkedName(name);
      if (!attachment.page) throw goneBecause('The tab is not connected: connect it first.');
      const task = taskOf(id, by, command, params, answer);
      if (!queue.add({ ...task, limitMs: limitOf(command, params, asked) }))
        throw new CommandError(
          'TOO_MANY',
          `${LIMITS.commandsPerTab} commands wait for this tab already.`,
        );
    } catch (error) {
      const how: Ended = { success: false, result: null, error: failureOf(error) };
      record({ id, command: name, params, by, at: Date.now(), tookMs: 0 }, how);
      answer?.(how);
    }
  }
  function taskOf(
    id: string,
    by: 'agent' | 'user',
    command: Name,
    params: Record<string, unknown>,
    answer: ((how: Ended) => void) | null,
  ) {
    let at = Date.now();
    return {
      id,
      run: (signal: AbortSignal) => perform(command, params, contextOf(signal, by)),
      taken() {
        at = Date.now();
        running = { command, by };
        link.move('taken');
        if (answer) link.send({ type: 'executing', id });
      },
      ended(given: Ended, isWanted: boolean) {
        running = null;
        link.move('ended');
        const how = withoutSecrets(command, given);
        record({ id, command, params, by, at, tookMs: Date.now() - at }, how);
        if (isWanted) answer?.(how);
      },
    };
  }
  function withoutSecrets(command: Name, how: Ended): Ended {
    // In a picture they are covered.
    if (command === 'kapturemcp_screenshot' && how.success) return how;
    if (command !== 'kapturemcp_evaluate' || !how.success) return secrets.scrubbed(how);
    const { result } = how.result as { result: unknown };
    return { ...how, result: { result: secrets.scrubbedWhole(result) } };
  }
  function contextOf(signal: AbortSignal, by: 'agent' | 'user') {
    const { page } = attachment;
    if (!page) throw goneBecause('The tab was disconnected.');
    return {
      page,
      call: page.until(signal),
      ring,
      // What the user runs needs no leave of the user.
      mayRunScripts: scriptsAllowed || by === 'user',
      wantsScript() {
        scriptWanted = true;
        keep();
        around.changed();
      },
      keepSecret: secrets.add,
    };
  }
  function record(what: Omit<Outcome, 'success' | 'result' | 'error'>, how: Ended): void {
    outcomes.add({ ...what, params: secrets.scrubbed(what.params), ...how });
    around.changed();
  }

  const drop = (code: string, message: string) => {
    attachment.lost(goneBecause(message));
    link.disconnect({ code, message });
  };

  // What an earlier worker knew.
  if (kept?.isWanted) link.resume();
  else void look().then(around.changed);

  return {
    outcomes,
    get state(): TabNow {
      const { connection, connectedAt, problem, retryAt } = link;
      return {
        tab,
        tabId,
        url,
        title,
        connection,
        connectedAt,
        port: around.port(),
        problem,
        retryAt,
        scriptsAllowed,
        scriptWanted,
        running,
        queued: queue.waiting,
        consoleCount: ring.count + ring.dropped,
      };
    },
    connect: link.connect,
    moved() {
      if (link.retryAt !== null) link.connect();
    },
    disconnect() {
      link.disconnect(null);
      keep();
    },
    allowScripts(allowed) {
      scriptsAllowed = allowed;
      scriptWanted = false;
      link.send({ type: 'update', scriptsAllowed });
      keep();
      around.changed();
    },
    run: (command, params) => take(`user-${crypto.randomUUID()}`, 'user', command, params),
    newest: (max) => secrets.scrubbed(ring.newest(max)),
    clearConsole() {
      ring.clear();
      around.logged();
      around.changed();
    },
    fail: (code, message) => link.fail({ code, message }),
    event(method, params, session) {
      attachment.page?.events.tell(method, params, session);
      const entry = entryOf(method, params);
      if (!entry || repeats.isRepeat(attachment.targetOf(session), method, entry.timestamp)) return;
      ring.add(entry);
      around.logged();
      around.changed();
    },
    detached(isByUser) {
      if (!attachment.page) return;
      if (isByUser)
        drop(
          'DEBUGGER_CANCELLED',
          'Debugging was cancelled in Chrome’s bar, which disconnects the tab.',
        );
      else drop('TAB_NOT_DEBUGGABLE', 'The tab went to a page that Chrome lets no extension into.');
    },
    listed(changed) {
      url = changed.url ?? url;
      title = changed.title ?? title;
      link.send({ type: 'update', ...about() });
      around.changed();
    },
    removed() {
      attachment.lost(goneBecause('The tab was closed.'));
      link.disconnect(null);
    },
    keptConsole: () => ({ ...secrets.scrubbed(ring.kept(KEPT_CHARS)), newest: repeats.newest }),
  };
}

const NEW: Kept = { tabId: '', isWanted: false, scriptsAllowed: false, scriptWanted: false };
