// The documents of a tab, and in each of them the toolkit: the companion's own in-page functions, in a world of their own.
import type { Repeats } from '../rules/entries';
import { CommandError } from '../rules/failure';
import { type Call, isGone } from './calls';
import type { Events } from './events';
import type { InPage } from './in-page';
import { jsonOf, unwrapped } from './results';

const WORLD = 'pageside';

/** A document with its toolkit; `session` where its process is not the tab's. */
export interface Doc {
  session: string | undefined;
  frameId: string;
  toolkit: string;
}

/** An element in a document's isolated world; `label` names it in messages. */
export interface Handle {
  doc: Doc;
  objectId: string;
  label: string;
}

/** The page's own world in one document. */
export interface World {
  session: string | undefined;
  frameId: string;
  id: string;
}

interface Context {
  id: number;
  uniqueId: string;
  name?: string;
  auxData?: { isDefault?: boolean; frameId?: string };
}

export interface Documents {
  /** The frame that the tab shows. */
  readonly main: string;
  worlds(): World[];
  /** The document that a frame shows now, with its toolkit. */
  of(call: Call, frameId: string, limitMs?: number): Promise<Doc>;
  /** What `work` makes of a frame's document; of its successor, if it was replaced just now. */
  within<T>(call: Call, frameId: string, work: (doc: Doc) => Promise<T>): Promise<T>;
  /** Frames with processes of their own, by their sessions. */
  readonly children: ReadonlyMap<string, string>;
  /** The tab shows that frame. */
  show(frameId: string): void;
}

type Attached = { sessionId: string; targetInfo: { type: string; targetId: string } };
type Navigated = { frame: { id: string; parentId?: string } };
type Destroyed = { executionContextUniqueId: string };

const SETUP: [string, object?][] = [
  ['Runtime.enable'],
  ['Page.enable'],
  ['Log.enable'],
  ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }],
];

/** `repeats` hears when a frame with a process of its own is asked what there is, and when it has told that. */
export function createDocuments(
  events: Events,
  call: Call,
  inPage: InPage,
  repeats: Pick<Repeats, 'asked' | 'told'>,
): Documents {
  let main = '';
  const worlds = new Map<string, World>();
  const docs = new Map<string, { doc: Doc; context: string }>();
  const children = new Map<string, string>();
  let count = 0;

  /** Unique ids of our own worlds, which Chrome tells before it answers who asked for one. */
  const own = new Map<string, string>();
  const keyOf = (session: string | undefined, id: number) => `${session ?? ''} ${id}`;

  const forget = (session: string | undefined, isIt: (id: string) => boolean = () => true) => {
    for (const [id, world] of worlds) if (world.session === session && isIt(id)) worlds.delete(id);
    for (const [frame, { doc, context }] of docs)
      if (doc.session === session && isIt(context)) docs.delete(frame);
  };
  events.on<{ context: Context }>('Runtime.executionContextCreated', ({ context }, session) => {
    const { id, uniqueId, name, auxData } = context;
    const { isDefault, frameId } = auxData ?? {};
    if (isDefault && frameId) worlds.set(uniqueId, { session, frameId, id: uniqueId });
    else if (name === WORLD) own.set(keyOf(session, id), uniqueId);
  });
  events.on<Destroyed>('Runtime.executionContextDestroyed', (gone, session) =>
    forget(session, (id) => id === gone.executionContextUniqueId),
  );
  events.on('Runtime.executionContextsCleared', (_, session) => forget(session));
  events.on<Navigated>('Page.frameNavigated', ({ frame }, session) => {
    if (!frame.parentId && session === undefined) main = frame.id;
  });
  events.on<Attached>('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type !== 'iframe') return;
    const { targetId } = targetInfo;
    children.set(sessionId, targetId);
    repeats.asked(targetId);
    const setup = SETUP.map(([method, params]) => call(method, params, { session: sessionId }));
    // A frame that goes away again has nothing to tell.
    void Promise.allSettled(setup).then(() => repeats.told(targetId));
  });
  events.on<{ sessionId: string }>('Target.detachedFromTarget', ({ sessionId }) => {
    children.delete(sessionId);
    forget(sessionId);
  });

  const sessionOf = (frameId: string): string | undefined =>
    [...children].find(([, frame]) => frame === frameId)?.[0] ??
    [...worlds.values()].find((world) => world.frameId === frameId)?.session;

  async function make(call: Call, frameId: string, limitMs?: number): Promise<Doc> {
    const session = sessionOf(frameId);
    const how = { session, limitMs };
    const { executionContextId: contextId } = await call<{ executionContextId: number }>(
      'Page.createIsolatedWorld',
      { frameId, worldName: WORLD },
      how,
    );
    count += 1;
    const expression = `(${await inPage.script('toolkit')})(${count})`;
    const answer = await call('Runtime.evaluate', { expression, contextId }, how);
    const { objectId = '' } = unwrapped(answer);
    const doc = { session, frameId, toolkit: objectId };
    const key = keyOf(session, contextId);
    docs.set(frameId, { doc, context: own.get(key) ?? '' });
    own.delete(key);
    return doc;
  }

  const of = async (call: Call, frameId: string, limitMs?: number) =>
    docs.get(frameId)?.doc ?? (await make(call, frameId, limitMs));
  return {
    get main() {
      return main;
    },
    worlds: () => [...worlds.values()],
    of,
    async within(call, frameId, work) {
      const doc = await of(call, frameId);
      try {
        return await work(doc);
      } catch (error) {
        if (!isGone(error)) throw error;
        docs.delete(frameId);
      }
      return await work(await of(call, frameId));
    },
    children,
    show(frameId) {
      main = frameId;
    },
  };
}

/** Calls a function of the toolkit; handles arrive as elements. What it returned, as JSON. */
export async function ask<T>(
  call: Call,
  doc: Doc,
  name: string,
  given: unknown[] = [],
  limitMs?: number,
): Promise<T> {
  return jsonOf(await asked(call, doc, name, given, true, limitMs)) as T;
}

/** The same of a function that returns an element or null. */
export async function askHandle(
  call: Call,
  doc: Doc,
  name: string,
  given: unknown[],
  label: string,
): Promise<Handle | null> {
  const { objectId } = unwrapped(await asked(call, doc, name, given, false));
  return objectId ? { doc, objectId, label } : null;
}

const isHandle = (given: unknown): given is Handle =>
  typeof given === 'object' && given !== null && 'objectId' in given;

async function asked(
  call: Call,
  doc: Doc,
  name: string,
  given: unknown[],
  returnByValue: boolean,
  limitMs?: number,
): Promise<object> {
  const params = {
    objectId: doc.toolkit,
    functionDeclaration: `function (...given) { return this[${JSON.stringify(name)}](...given) }`,
    arguments: given.map((each) =>
      isHandle(each) ? { objectId: each.objectId } : { value: each },
    ),
    returnByValue,
    awaitPromise: true,
    userGesture: true,
  };
  return call('Runtime.callFunctionOn', params, { session: doc.session, limitMs });
}

export const notFound = (selector: string) =>
  new CommandError(
    'ELEMENT_NOT_FOUND',
    `No element of the page matches ${JSON.stringify(selector)}.`,
    { selector },
  );
