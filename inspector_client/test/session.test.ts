import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createState } from '../src/basics';
import type { DownMessage } from '../src/connection/downlink';
import { PostError } from '../src/connection/post';
import { type Connection, createSession } from '../src/connection/session';
import { createTabMemory } from '../src/connection/tab';
import type { PageInfo } from '../src/protocol';
import { call, context, createTabs, fakeStorage, item } from './fakes';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Body = Record<string, unknown> & { page: string; changes?: { change: string }[] };

const joined = { companion: 'run', project: { id: 'p', name: 'shop' }, results: [] };

function setUp(storage = fakeStorage().storage) {
  const queue = createTabs().open();
  const connection = createState<Connection>({ state: 'connecting' });
  const posts: [route: string, body: Body][] = [];
  const answers: Record<string, (body: Body) => unknown> = {
    connect: () => ({ ...joined, items: [], missing: [] }),
    changes: ({ changes = [] }) => ({
      results: changes.map(({ change }) => ({ change, ok: true, rev: 1 })),
      items: [],
    }),
  };
  let down: (message: DownMessage) => void = () => undefined;
  const ran: string[] = [];
  const introduced: [page: string, key: string][] = [];
  const session = createSession({
    queue,
    connection,
    tab: createTabMemory(() => storage),
    info: () => ({ title: 'App' }) as PageInfo,
    onCall: ({ id }) => void ran.push(id),
    onAgents: () => undefined,
    onCancel: ({ id }) => void ran.push(`-${id}`),
    recheck: () => () => void ran.push('ended what was not sent again'),
    post: async (path, body) => {
      const route = path.replace('/page/', '');
      posts.push([route, structuredClone(body) as Body]);
      return answers[route]?.(body as Body) ?? null;
    },
    link(listener) {
      down = listener;
      return {
        start: () => undefined,
        stop: () => undefined,
        wake: () => undefined,
        introduce: (...given) => void introduced.push(given),
      };
    },
  });
  session.start();
  const of = (wanted: string) => posts.flatMap(([route, body]) => (route === wanted ? [body] : []));
  const tell = async (message: DownMessage) => {
    down(message);
    await vi.advanceTimersByTimeAsync(0);
  };
  const hello = (channel = 'channel') => tell({ kind: 'open', channel });
  return { queue, connection, answers, ran, introduced, session, of, tell, hello };
}

const refused = (status: number, code = 'X') => new PostError(status, { code, message: 'No.' });
const once = (error: Error, then: () => unknown) => {
  let first = true;
  return () => {
    if (!first) return then();
    first = false;
    throw error;
  };
};

test('the page connects after every hello, each time with the same key', async () => {
  const page = setUp();
  await page.hello('one');
  await page.tell({ kind: 'lost' });
  expect(page.connection.value).toEqual({ state: 'offline' });
  await page.hello('two');
  const [first, second] = page.of('connect');
  expect(first).toMatchObject({ channel: 'one', info: { title: 'App' }, known: {} });
  expect(second).toMatchObject({ channel: 'two', key: first?.key, page: first?.page });
  expect([first?.age, second?.age]).toEqual([expect.any(Number), undefined]);
  expect(page.connection.value).toEqual({ state: 'online', project: 'shop' });
});

test('a document tells which one it replaces in its tab', async () => {
  const { storage } = fakeStorage();
  const before = setUp(storage);
  await before.hello();
  before.session.leave();
  const after = setUp(storage);
  await after.hello();
  const { page, key } = before.of('connect')[0] as Body;
  expect(after.of('connect')[0]?.replaces).toEqual([page]);
  expect(before.of('close')).toMatchObject([{ page, key }]);
});

test('a document that left before it was answered says goodbye, and hands on what it replaced', async () => {
  const { storage } = fakeStorage();
  const before = setUp(storage);
  await before.hello();
  before.session.leave();
  const hasty = setUp(storage);
  hasty.answers.connect = () => new Promise(() => undefined);
  await hasty.hello();
  hasty.session.leave();
  const after = setUp(storage);
  await after.hello();
  const [one, two, three] = [before, hasty, after].map((each) => each.of('connect')[0]);
  expect(two?.replaces).toEqual([one?.page]);
  expect(hasty.of('close')).toMatchObject([{ page: two?.page, key: two?.key }]);
  expect(three?.replaces).toEqual([two?.page, one?.page]);
});

test('a document that nobody has heard of says no goodbye', () => {
  const page = setUp();
  page.session.leave();
  expect(page.of('close')).toEqual([]);
});

test('who keeps the stream knows of a page before the companion does', async () => {
  const page = setUp();
  page.answers.connect = () => new Promise(() => undefined);
  await page.hello();
  const { page: id, key } = page.of('connect')[0] as Body;
  expect(page.introduced).toEqual([[id, key]]);
});

test('notes made offline are sent once connected, in order', async () => {
  const page = setUp();
  const { id } = page.queue.add(context(), 'first');
  page.queue.edit(id, 'better');
  expect(page.of('changes')).toEqual([]);
  await page.hello();
  expect(page.of('changes')[0]?.changes).toMatchObject([{ kind: 'create' }, { kind: 'edit' }]);
  expect(page.queue.unsent()).toEqual([]);
});

test('a failed send is tried again', async () => {
  const page = setUp();
  const send = page.answers.changes as (body: Body) => unknown;
  let fail = true;
  page.answers.changes = (body) => {
    if (!fail) return send(body);
    fail = false;
    throw refused(503);
  };
  await page.hello();
  page.queue.add(context(), 'note');
  await vi.advanceTimersByTimeAsync(600);
  expect(page.of('changes')).toHaveLength(2);
  expect(page.queue.unsent()).toEqual([]);
});

test('one change that is too large does not hold up the others', async () => {
  const page = setUp();
  const send = page.answers.changes as (body: Body) => unknown;
  page.answers.changes = (body) => {
    if (JSON.stringify(body).includes('enormous')) throw refused(413, 'TOO_LARGE');
    return send(body);
  };
  const said: string[] = [];
  page.queue.refused.on((message) => said.push(message));
  for (const text of ['one', 'enormous', 'two']) page.queue.add(context(), text);
  await page.hello();
  const left = page.queue
    .items()
    .map(({ description, rev, refused }) => [description, rev, refused]);
  expect(left.sort()).toEqual([
    ['enormous', 0, 'No.'],
    ['one', 1, undefined],
    ['two', 1, undefined],
  ]);
  expect(said).toEqual(['No.']);
});

test('when the channel is not open any more, the next hello is waited for', async () => {
  const page = setUp();
  page.answers.connect = once(refused(409, 'PAGE_DISCONNECTED'), page.answers.connect as () => 0);
  await page.hello('one');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(page.of('connect')).toHaveLength(1);
  await page.hello('two');
  expect(page.connection.value.state).toBe('online');
});

test.each([refused(409, 'FORBIDDEN'), refused(410, 'PAGE_DISCONNECTED')])(
  'a page whose id is not its own any more comes as a new one',
  async (error) => {
    const page = setUp();
    page.answers.connect = once(error, page.answers.connect as () => 0);
    await page.hello();
    await vi.advanceTimersByTimeAsync(600);
    const [first, second] = page.of('connect');
    expect(second?.page).not.toBe(first?.page);
    expect(second?.key).not.toBe(first?.key);
    expect(second?.replaces).toEqual([first?.page]);
    expect(page.connection.value.state).toBe('online');
  },
);

test('a refusal is shown, not repeated', async () => {
  const page = setUp();
  page.answers.connect = () => {
    throw refused(403, 'FORBIDDEN');
  };
  await page.hello();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(page.of('connect')).toHaveLength(1);
  expect(page.connection.value).toEqual({ state: 'refused', message: 'No.' });
});

test('the companion of another project is told, not waited for', async () => {
  const page = setUp();
  await page.tell({ kind: 'lost', message: 'Another project.' });
  expect(page.connection.value).toEqual({ state: 'refused', message: 'Another project.' });
  page.answers.connect = () => {
    throw refused(409, 'WRONG_PROJECT');
  };
  await page.hello();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(page.of('connect')).toHaveLength(1);
  expect(page.connection.value).toEqual({ state: 'refused', message: 'No.' });
});

test('calls of other pages are left alone', async () => {
  const page = setUp();
  await page.hello();
  const mine = page.of('connect')[0]?.page ?? '';
  await page.tell({ kind: 'event', name: 'call', data: call('theirs', { page: 'other' }) });
  await page.tell({ kind: 'event', name: 'call', data: call('mine', { page: mine }) });
  await page.tell({ kind: 'event', name: 'cancel', data: { page: mine, id: 'mine' } });
  expect(page.ran).toEqual(['mine', '-mine']);
});

test('what the companion does not send again soon after a connect is ended', async () => {
  const page = setUp();
  await page.hello('one');
  await page.tell({ kind: 'lost' });
  await vi.advanceTimersByTimeAsync(2000);
  expect(page.ran).toEqual([]);
  await page.hello('two');
  await vi.advanceTimersByTimeAsync(2000);
  expect(page.ran).toEqual(['ended what was not sent again']);
});

test('changed inspections reach the queue', async () => {
  const page = setUp();
  await page.hello();
  await page.tell({ kind: 'event', name: 'inspections', data: { items: [item('x')] } });
  expect(page.queue.items()).toHaveLength(1);
});
