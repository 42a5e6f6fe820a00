import { messageOf, randomId, type State } from '../basics';
import type { Call, Cancel, ConnectAnswer, InspectionItem, PageInfo } from '../protocol';
import { createBackoff } from './backoff';
import type { Downlink, DownMessage } from './downlink';
import { createOutbox, type OutboxQueue } from './outbox';
import { type Post, PostError } from './post';
import type { TabMemory } from './tab';

export type Connection =
  | { state: 'connecting' }
  | { state: 'online'; project: string }
  | { state: 'offline' }
  | { state: 'refused'; message: string };

export interface SessionQueue extends OutboxQueue {
  known(): Record<string, number>;
  receive(items: InspectionItem[]): void;
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
  link(listener: (message: DownMessage) => void): Downlink;
}

export interface Session {
  start(): void;
  /** The document goes away (or into the back/forward cache). */
  leave(): void;
  wake(): void;
  update(used: boolean): void;
  /** Posts with this page's identity. */
  send: (route: 'answer' | 'update' | 'changes', body: object) => Promise<unknown>;
}

/** One document's conversation with the companion: connects after every hello, and says goodbye. */
export function createSession(parts: SessionParts): Session {
  const { post, tab, queue, connection } = parts;
  const backoff = createBackoff();
  const outbox = createOutbox(queue, (body) => send('changes', body));
  let page = '';
  let key: string | undefined;
  let channel: string | undefined;
  let replaces: string | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let downlink: Downlink | undefined;

  const send: Session['send'] = (route, body) => {
    if (!key) return Promise.reject(new PostError(0, 'PAGE_NOT_CONNECTED', 'Not connected.'));
    return post(route, { ...body, page, key });
  };

  function renew(before: string | undefined): void {
    page = randomId();
    key = undefined;
    replaces = before;
  }
  function joined(answer: ConnectAnswer, from: PageInfo): void {
    key = answer.key;
    replaces = undefined;
    backoff.reset();
    queue.receive(answer.items);
    queue.joined(answer.project.id, answer.missing);
    downlink?.introduce?.(page, answer.key);
    connection.set({ state: 'online', project: answer.project.name });
    outbox.open();
    if (JSON.stringify(parts.info()) !== JSON.stringify(from)) update(false);
  }
  async function connect(on: string): Promise<void> {
    const info = parts.info();
    // Changes follow once the project is known: another project's may lie in the same storage.
    const body = { page, key, channel: on, replaces, info, changes: [], known: queue.known() };
    try {
      const answer = (await post('connect', body)) as ConnectAnswer;
      if (channel === on) joined(answer, info);
    } catch (error) {
      if (channel === on) refused(on, error);
    }
  }
  function refused(on: string, error: unknown): void {
    const failure = error instanceof PostError ? error : new PostError(0, '', messageOf(error));
    if (failure.code === 'PAGE_DISCONNECTED') return;
    if (failure.status === 409) {
      // The companion kept this page from a connect whose answer was lost, and wants the key that came with it.
      renew(page);
    } else if (!failure.passing) {
      connection.set({ state: 'refused', message: `${failure.message} ${failure.fix}`.trim() });
      return;
    }
    clearTimeout(retry);
    retry = setTimeout(() => void (channel === on && connect(on)), backoff.next());
  }
  function lost(): void {
    channel = undefined;
    clearTimeout(retry);
    outbox.close();
    if (connection.value.state !== 'refused') connection.set({ state: 'offline' });
  }

  function onEvent(name: string, data: unknown): void {
    if (name === 'inspections') return queue.receive((data as { items: InspectionItem[] }).items);
    const call = data as Call;
    if (call.page !== page) return;
    if (name === 'call') parts.onCall(call);
    else if (name === 'cancel') parts.onCancel(call);
  }
  function onMessage(message: DownMessage): void {
    if (message.kind === 'event') onEvent(message.name, message.data);
    else if (message.kind === 'lost') lost();
    else {
      channel = message.channel;
      clearTimeout(retry);
      void connect(message.channel);
    }
  }
  function update(used: boolean): void {
    const body = { info: parts.info(), ...(used ? { used: true } : {}) };
    // Only news: the next connect carries the whole info anyway.
    send('update', body).catch(() => undefined);
  }

  return {
    start() {
      renew(undefined);
      replaces = tab.arrive(page);
      downlink = parts.link(onMessage);
      downlink.start();
    },
    leave() {
      tab.leave(page);
      if (key) post('close', { page, key }, { keepalive: true }).catch(() => undefined);
      lost();
      downlink?.stop();
    },
    wake: () => downlink?.wake(),
    update,
    send,
  };
}
