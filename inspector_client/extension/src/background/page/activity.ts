// What an action started in a tab, and when it has had its effect: the tracker follows timers, requests and frames
// inside the documents, Chrome's events tell of navigations.
import { CommandError } from '../rules/failure';
import { promised } from '../rules/promised';
import { type Call, Refused } from './calls';
import type { Documents, World } from './documents';
import type { Events } from './events';
import type { InPage } from './in-page';
import { jsonOf, Thrown, unwrapped } from './results';

const SETTLE_MS = 3000;
const LOAD_MS = 6000;
const ANSWER_MS = 5000;
const FRAME_MS = 2000;
const MARGIN_MS = 1000;
const MOST_WORLDS = 12;

export interface Activity {
  /** An action comes: its effects will be followed in every document. */
  arm(call: Call): Promise<void>;
  /** Waits until the page has reacted, or as long as is decent. */
  settle(call: Call): Promise<void>;
  /** Waits for a navigation that has begun. */
  loaded(signal?: AbortSignal): Promise<void>;
  /** The object id of the top document's tracker, once armed. */
  tracker(): string | null;
}

interface Started {
  frameId: string;
  loaderId: string;
  navigationType?: string;
}

export function createActivity(events: Events, documents: Documents, inPage: InPage): Activity {
  const trackers = new Map<string, { session: string | undefined; objectId: string }>();
  const armed = new Set<string>();
  let loading: { loader: string; ended: Promise<void>; end: () => void } | null = null;

  const done = () => {
    loading?.end();
    loading = null;
  };
  events.on<Started>(
    'Page.frameStartedNavigating',
    ({ frameId, loaderId, navigationType }, session) => {
      const isWithin =
        navigationType === 'sameDocument' || navigationType === 'historySameDocument';
      if (session !== undefined || frameId !== documents.main || isWithin) return;
      const { promise, resolve } = promised();
      loading?.end();
      loading = { loader: loaderId, ended: promise, end: resolve };
    },
  );
  events.on<{ name: string; loaderId: string }>('Page.lifecycleEvent', ({ name, loaderId }) => {
    if (name === 'load' && loaderId === loading?.loader) done();
  });
  events.on<{ frameId: string }>('Page.frameStoppedLoading', ({ frameId }) => {
    // Also after a download, an empty answer, or a navigation that was given up.
    if (frameId === documents.main) done();
  });
  events.on('Inspector.targetCrashed', done);

  async function loaded(): Promise<void> {
    if (!loading) return;
    const { promise, resolve } = promised();
    const timer = setTimeout(resolve, LOAD_MS);
    await Promise.race([loading.ended, promise]);
    clearTimeout(timer);
    done();
  }

  async function armOne(call: Call, { id, session, frameId }: World): Promise<void> {
    const limitMs = session === undefined ? ANSWER_MS : FRAME_MS;
    try {
      const known = trackers.get(id) ?? {
        session,
        objectId: await made(call, id, session, limitMs),
      };
      trackers.set(id, known);
      await tell(call, known, 'arm', [], limitMs);
      armed.add(id);
    } catch (error) {
      trackers.delete(id);
      // A document that is being replaced has a successor that tells of itself; a frame may hang by itself.
      const mayPass = error instanceof Refused || error instanceof Thrown;
      if (!mayPass && (session === undefined || frameId === documents.main)) throw error;
    }
  }
  async function made(
    call: Call,
    uniqueContextId: string,
    session: string | undefined,
    limitMs: number,
  ): Promise<string> {
    const expression = `(${await inPage.script('tracker')})()`;
    const answer = await call(
      'Runtime.evaluate',
      { expression, uniqueContextId },
      { session, limitMs },
    );
    return unwrapped(answer).objectId ?? '';
  }
  async function tell(
    call: Call,
    { session, objectId }: { session: string | undefined; objectId: string },
    name: 'arm' | 'settled',
    given: number[],
    limitMs: number,
  ): Promise<unknown> {
    const params = {
      objectId,
      functionDeclaration: `function (...given) { return this.${name}(...given) }`,
      arguments: given.map((value) => ({ value })),
      returnByValue: true,
      awaitPromise: true,
    };
    return jsonOf(await call('Runtime.callFunctionOn', params, { session, limitMs }));
  }

  async function settleOne(call: Call, id: string): Promise<void> {
    const tracker = trackers.get(id);
    if (!tracker) return;
    try {
      await tell(call, tracker, 'settled', [SETTLE_MS], SETTLE_MS + MARGIN_MS);
    } catch (error) {
      // It went elsewhere, shows a dialog, or does not answer: whoever looks next is told.
      if (error instanceof CommandError && error.code === 'DIALOG_OPEN') return;
      trackers.delete(id);
    }
  }

  return {
    async arm(call) {
      const worlds = documents.worlds().slice(0, MOST_WORLDS);
      const living = new Set(worlds.map(({ id }) => id));
      for (const id of trackers.keys()) if (!living.has(id)) trackers.delete(id);
      armed.clear();
      await Promise.all(worlds.map((world) => armOne(call, world)));
    },
    async settle(call) {
      const end = Date.now() + SETTLE_MS + LOAD_MS;
      do {
        await loaded();
        const ids = [...armed];
        armed.clear();
        await Promise.all(ids.map((id) => settleOne(call, id)));
      } while (loading && Date.now() < end);
    },
    loaded,
    tracker() {
      const top = documents
        .worlds()
        .find(({ frameId, id }) => frameId === documents.main && armed.has(id));
      return (top && trackers.get(top.id)?.objectId) ?? null;
    },
  };
}
