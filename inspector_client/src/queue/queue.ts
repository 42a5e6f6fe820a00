import { attempt, createSignal, explained, oncePerFrame, randomId, type Signal } from '../basics';
import type { Change, ChangeResult, ElementContext, InspectionItem, Remarks } from '../protocol';
import { limits, localKeys, sessionKeys } from '../protocol';
import {
  type Entry,
  isEntry,
  mergeEntries,
  refusalOf,
  type SeenItem,
  sameView,
  settled,
  toChange,
  type UnsentChange,
  viewOf,
  withUnsent,
} from './entry';
import { isOpen, mayBecome } from './status';
import type { EntryStorage, StorageProblem } from './storage';

export interface QueueParts {
  storage: EntryStorage;
  session: () => Storage;
  bus: Pick<BroadcastChannel, 'postMessage' | 'onmessage'> | null;
  locks: LockManager | null | undefined;
  /** The project of the page; null: that of the first companion that answers. */
  home: string | null;
}

export type ItemListener = (after: InspectionItem, before: InspectionItem) => void;

export interface Queue {
  start(): void;
  items(): SeenItem[];
  add(context: ElementContext, description: string, more?: Partial<InspectionItem>): InspectionItem;
  edit(id: string, description: string, words?: Pick<Remarks, 'intent' | 'severity'>): void;
  /** Takes in an inspection from elsewhere; false: it is here already. */
  bring(item: InspectionItem): boolean;
  remove(id: string): void;
  reopen(id: string): void;
  readonly problem: StorageProblem | null;
  /** There is something else to show. */
  readonly changed: Signal<[]>;
  /** One known item looks different than before. */
  readonly itemChanged: Signal<Parameters<ItemListener>>;
  readonly refused: Signal<[message: string]>;
  /** There is something to send. */
  readonly waiting: Signal<[]>;
  unsent(): Change[];
  known(): Record<string, number>;
  receive(items: InspectionItem[]): void;
  joined(project: string, missing: string[]): void;
  settle(results: ChangeResult[]): void;
  /** Writes at once, for a document that goes away. */
  flush(): void;
}

interface Broadcast {
  entries: Entry[];
  answered: string[];
}

const SETTLE_MS = 200;
const REMEMBERED = 500;
const NAME = localKeys.items;
const CURRENT = sessionKeys.current;

const changeOf = ({ unsent }: Entry, id: string) => unsent?.find(({ change }) => change === id);

/** The user's inspections: a cache of the companion's record, and an outbox. Shared by the tabs of one origin. */
export function createQueue({ storage, session, bus, locks, home }: QueueParts): Queue {
  const entries = new Map<string, Entry>();
  const answered = new Set<string>();
  const changed = createSignal();
  const itemChanged = createSignal<Parameters<ItemListener>>();
  const refused = createSignal<[string]>();
  const waiting = createSignal();
  /** In a hidden tab there is nothing to show until it is in view. */
  const show = oncePerFrame(() => changed.emit());
  let timer: ReturnType<typeof setTimeout> | undefined;
  let project = home;

  function put(next: Entry): void {
    const before = entries.get(next.id);
    entries.set(next.id, next);
    const view = viewOf(next);
    if (!before || sameView(viewOf(before), view)) return;
    if (!isOpen(view.status)) forget(next.id);
    itemChanged.emit(view, viewOf(before));
  }
  function absorb(list: Entry[]): void {
    for (const entry of list) {
      const { id, rev, unsent } = entry;
      const known = entries.get(id);
      const isSame = rev && known?.rev === rev && !known.unsent && !unsent;
      if (!isSame) put(mergeEntries(known ?? { ...entry, unsent: [] }, entry, answered));
    }
  }
  function end(change: string): void {
    answered.add(change);
    for (const oldest of answered) if (answered.size > REMEMBERED) answered.delete(oldest);
  }
  function flush(): void {
    absorb(storage.read());
    storage.write([...entries.values()]);
  }
  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const write = () => {
      flush();
      show();
    };
    // Shown at once; the lock may take a moment.
    show();
    if (locks) void locks.request(NAME, write);
    else write();
  }
  /** What the companion has as well may wait for more of it. */
  function saveSoon(): void {
    show();
    timer ??= setTimeout(save, SETTLE_MS);
  }
  /** Only what this tab alone knows: each of them hears the companion itself. */
  function share(message: Broadcast): void {
    bus?.postMessage(message);
  }
  function record(id: string, change: UnsentChange): void {
    const entry = entries.get(id);
    if (!entry) return;
    const refusal = refusalOf(entry);
    if (refusal) end(refusal.change);
    // Whatever the user does to a refused one tries again.
    const again = refusal ? [{ ...refusal, change: randomId(), refused: undefined }] : [];
    const next = withUnsent(entry, [...again, ...(entry.unsent ?? []), change], answered);
    put(next);
    share({ entries: [next], answered: refusal ? [refusal.change] : [] });
    save();
    waiting.emit();
  }
  const stamp = () => ({ change: randomId(), at: Date.now() });

  function setStatus(id: string, status: 'pending' | 'deleted'): void {
    const entry = entries.get(id);
    if (entry && mayBecome(viewOf(entry).status, status))
      record(id, { ...stamp(), kind: 'status', inspection: id, status });
  }
  function forget(id: string): void {
    const clear = () => session().getItem(CURRENT) === id && session().removeItem(CURRENT);
    attempt(clear, false);
  }

  function onBroadcast({ data }: MessageEvent<Broadcast>): void {
    data.answered.forEach(end);
    absorb(data.entries.filter(isEntry));
    show();
  }
  function onStorage({ key }: StorageEvent): void {
    // A cleared storage takes nothing away: this tab still knows, and the companion keeps the record.
    if (key !== NAME && key !== null) return;
    absorb(storage.read());
    show();
  }
  function adopt(entry: Entry): void {
    if (!entry.project && project && (home ?? project) === project) put({ ...entry, project });
  }
  const ofThisProject = () =>
    [...entries.values()].filter(
      (entry) => !project || (entry.project ?? home ?? project) === project,
    );

  return {
    changed,
    itemChanged,
    refused,
    waiting,
    start() {
      absorb(storage.read());
      if (bus) bus.onmessage = onBroadcast;
      addEventListener('storage', onStorage);
      show();
    },
    items: () =>
      ofThisProject()
        .map(viewOf)
        .filter((item) => item.status !== 'deleted')
        .sort((a, b) => b.timestamp - a.timestamp),
    add({ elementId, sourceInfo, selector, url, title }, text, more) {
      const { at, change } = stamp();
      const description = text.slice(0, limits.descriptionChars);
      const id = randomId();
      const about = {
        id,
        elementId,
        sourceInfo,
        description,
        selector,
        url,
        title,
        ...more,
      };
      const item: InspectionItem = {
        ...about,
        status: 'pending',
        timestamp: at,
        updated: at,
        rev: 0,
        author: 'user',
      };
      put({ ...item, ...(project && { project }) });
      attempt(() => session().setItem(CURRENT, id));
      record(id, { change, at, kind: 'create' });
      return item;
    },
    edit(id, text, words) {
      const description = text.slice(0, limits.descriptionChars);
      record(id, { ...stamp(), kind: 'edit', inspection: id, description, ...words });
    },
    bring(item) {
      const known = entries.get(item.id);
      if (known && viewOf(known).status !== 'deleted') return false;
      // A deleted one stays so, in every tab: this is another.
      const id = known ? randomId() : item.id;
      put({ ...item, id, rev: 0, ...(project && { project }) });
      record(id, { ...stamp(), kind: 'create', restore: true });
      return true;
    },
    remove: (id) => setStatus(id, 'deleted'),
    reopen: (id) => setStatus(id, 'pending'),
    get problem() {
      return storage.problem;
    },
    unsent: () =>
      ofThisProject()
        .filter((entry) => !refusalOf(entry))
        .flatMap((entry) => (entry.unsent ?? []).map((change) => toChange(entry, change)))
        .sort((a, b) => a.at - b.at),
    known: () =>
      Object.fromEntries(
        [...entries.values()].filter(({ rev }) => rev > 0).map(({ id, rev }) => [id, rev]),
      ),
    receive(items) {
      for (const item of items) {
        const known = entries.get(item.id);
        if (known && known.rev > item.rev) continue;
        const entry = { ...item, ...(project && { project }) };
        put(withUnsent(entry, known?.unsent ?? [], answered));
      }
      if (items.length > 0) saveSoon();
    },
    joined(id, missing) {
      project = id;
      for (const entry of entries.values()) adopt(entry);
      for (const entry of missing.map((lost) => entries.get(lost))) {
        if (entry?.project === id && !entry.unsent?.some(({ kind }) => kind === 'create'))
          record(entry.id, { ...stamp(), at: entry.timestamp, kind: 'create', restore: true });
      }
      saveSoon();
    },
    settle(results) {
      const message: Broadcast = { entries: [], answered: [] };
      for (const result of results) {
        const { change: id } = result;
        const entry = [...entries.values()].find((one) => changeOf(one, id));
        const change = entry && changeOf(entry, id);
        // What was to follow a refused new note stays with it.
        if (entry && refusalOf(entry)) continue;
        end(id);
        message.answered.push(id);
        if (!change) continue;
        const next = settled(entry, change, result, answered);
        put(next);
        message.entries.push(next);
        if (!result.ok && next.status !== 'deleted') refused.emit(explained(result.error));
      }
      share(message);
      saveSoon();
    },
    flush,
  };
}
