import type { AgentNews } from '../agents';
import { messageOf, randomId, type State } from '../basics';
import { secret } from '../element/registry';
import type { Call, Cancel, ConnectAnswer, InspectionItem, PageInfo } from '../protocol';
import { routes } from '../protocol';
import { createBackoff } from './backoff';
import type { Downlink, DownMessage } from './downlink';
import { createOutbox, type OutboxQueue } from './outbox';
import { isPassing, type Post, type PostError } from './post';
import type { TabMemory } from './tab';

const REPEAT_WITHIN_MS = 1000;

export type Connection =
  | { state: 'connecting' }
  | { state: 'online'; project: string }
  | { state: 'offline' }
  | { state: 'refused'; message: string };

export interface SessionQueue extends OutboxQueue {
  known(): Record<string, number>;
  joined(project: string, missing: string[]): void;
}

interface SessionParts {
  post: Post;
  tab: TabMemory;
  queue: SessionQueue;
  connection: State<Connection>;
  info(): PageInfo;
  onCall(call: Call): void;
  onCancel(cancel: Cancel): void;
  onAgents(news: AgentNews): void;
  /** Asks before each connect what runs; the returned function ends what the companion did not send again. */
  recheck(): () => void;
  link(listener: (message: DownMessage) => void): Downlink;
}

export interface Session {
  start(): void;
  /** The document goes away (or into the back/forward cache). */
  leave(): void;
  wake(): void;
  update(used: boolean): void;
  /** Posts with this page's identity. */
  send: (route: string, body: object, keepalive?: boolean) => Promise<unknown>;
}

/** One document's conversation with the companion: connects after every hello, and says goodbye. */
export function createSession(parts: SessionParts): Session {
  const { post, tab, queue, connection, info } = parts;
  const backoff = createBackoff();
  const outbox = createOutbox(queue, (body) => send(routes.changes, body));
  let page = '';
  // Minted here: a call may come, and be answered, before the companion's answer to `connect` is here.
  let key = '';
  let channel: string | undefined;
  let replaces: string[] = [];
  let introduced = false;
  let joinedOnce = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let downlink: Downlink | undefined;

  const send: Session['send'] = (route, body, keepalive) =>
    post(route, { ...body, page, key }, keepalive);

  function mint(before: string[]): void {
    [page, key] = [randomId(), randomId()];
    introduced = joinedOnce = false;
    replaces = before;
  }
  async function connect(): Promise<void> {
    const on = channel;
    const endForgotten = parts.recheck();
    downlink?.introduce?.(page, key);
    introduced = true;
    const age = joinedOnce ? undefined : performance.now();
    // Changes follow once the project is known: another project's may lie in the same storage.
    const body = {
      channel,
      replaces,
      info: info(),
      secret,
      changes: [],
      known: queue.known(),
      age,
    };
    try {
      const answer = (await send(routes.connect, body)) as ConnectAnswer;
      if (channel !== on) return;
      joined(answer);
      // Another companion, or one that gave this page up, knows nothing of them.
      setTimeout(() => channel === on && endForgotten(), REPEAT_WITHIN_MS);
    } catch (error) {
      if (channel === on) refused(error);
    }
  }
  function joined({ project, items, missing, ...answer }: ConnectAnswer): void {
    joinedOnce = true;
    replaces = [];
    backoff.reset();
    queue.receive(items);
    queue.joined(project.id, missing);
    connection.set({ state: 'online', project: project.name });
    outbox.open();
    parts.onAgents(answer);
  }
  function refused(error: unknown): void {
    const { status, failure } = error as PostError;
    const conflict = status === 410 || (status === 409 && failure.code === 'FORBIDDEN');
    // The channel is not open any more: the next hello tells.
    if (status === 409 && failure.code === 'PAGE_DISCONNECTED') return;
    // Somebody else has this id, or has said goodbye for it.
    if (conflict) mint([page, ...replaces]);
    if (conflict || isPassing(error)) retry = setTimeout(connect, backoff.next());
    else connection.set({ state: 'refused', message: messageOf(error) });
  }
  function lost(message?: string): void {
    channel = undefined;
    clearTimeout(retry);
    outbox.close();
    connection.set(message ? { state: 'refused', message } : { state: 'offline' });
  }
  function onEvent(name: string, data: unknown): void {
    const call = data as Call;
    if (name === 'inspections') queue.receive((data as { items: InspectionItem[] }).items);
    else if (call.page !== page) return;
    else if (name === 'call') parts.onCall(call);
    else if (name === 'cancel') parts.onCancel(call);
    else parts.onAgents(data as AgentNews);
  }
  function onMessage(message: DownMessage): void {
    if (message.kind === 'event') onEvent(message.name, message.data);
    else if (message.kind === 'lost') lost(message.message);
    else {
      channel = message.channel;
      clearTimeout(retry);
      void connect();
    }
  }
  function update(used: boolean): void {
    // Only news: the next connect carries the whole info anyway.
    if (channel) send(routes.update, { info: info(), used: used || undefined }).catch(() => {});
  }

  return {
    start() {
      mint(tab.arrive());
      downlink = parts.link(onMessage);
      downlink.start();
    },
    leave() {
      tab.leave(introduced ? [page, ...replaces] : replaces);
      if (introduced) send(routes.close, {}, true).catch(() => {});
      lost();
      downlink?.stop();
    },
    wake: () => downlink?.wake(),
    update,
    send,
  };
}
