import { attempt, randomId } from '../basics';
import type { Change, ChangeResult, ElementContext, InspectionItem } from '../protocol';
import { limits, storageNames } from '../protocol';
import {
  type Entry,
  isEntry,
  mergeEntries,
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
  bus: Pick<BroadcastChannel, 'postMessage' | 'onmessage' | 'close'> | null;
  locks: LockManager | null;
  view: Pick<Window, 'addEventListener' | 'removeEventListener'>;
}

export type ItemListener = (after: InspectionItem, before: InspectionItem | undefined) => void;

export interface Queue {
  start(): void;
  stop(): void;
  items(): InspectionItem[];
  add(context: ElementContext, description: string): InspectionItem;
  edit(id: string, description: string): void;
  remove(id: string): void;
  reopen(id: string): void;
  readonly problem: StorageProblem | null;
  /** Something to show changed. */
  onChange(listener: () => void): void;
  /** One item looks different than before. */
  onItem(listener: ItemListener): void;
  onRefused(listener: (message: string) => void): void;
  onUnsent(listener: () => void): void;
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

const NAME = storageNames.local.items;
const CURRENT = storageNames.session.current;

/** The user's inspections: a cache of the companion's record, and an outbox. Shared by the tabs of one origin. */
export function createQueue({ storage, session, bus, locks, view }: QueueParts): Queue {
  const entries = new Map<string, Entry>();
  const answered = new Set<string>();
  const changeListeners: (() => void)[] = [];
  const itemListeners: ItemListener[] = [];
  const refusedListeners: ((message: string) => void)[] = [];
  const unsentListeners: (() => void)[] = [];
  let project: string | undefined;

  const changed = () => {
    for (const listener of changeListeners) listener();
  };
  const announceUnsent = () => {
    for (const listener of unsentListeners) listener();
  };

  function put(next: Entry): void {
    const before = entries.get(next.id);
    entries.set(next.id, next);
    const view = viewOf(next);
    if (before && sameView(viewOf(before), view)) return;
    if (isCurrent(next.id) && !isOpen(view.status)) setCurrent(null);
    for (const listener of itemListeners) listener(view, before && viewOf(before));
  }
  function absorb(list: Entry[]): void {
    for (const entry of list) {
      const known = entries.get(entry.id);
      put(
        known
          ? mergeEntries(known, entry, answered)
          : withUnsent(entry, entry.unsent ?? [], answered),
      );
    }
  }
  function flush(): void {
    absorb(storage.read());
    storage.write([...entries.values()]);
  }
  function save(): void {
    bus?.postMessage({
      entries: [...entries.values()],
      answered: [...answered],
    } satisfies Broadcast);
    changed();
    const write = () => {
      const before = storage.problem;
      flush();
      if (storage.problem !== before) changed();
    };
    if (locks) void locks.request(NAME, write);
    else write();
  }
  function record(id: string, change: UnsentChange): void {
    const entry = entries.get(id);
    if (!entry) return;
    put(withUnsent(entry, [...(entry.unsent ?? []), change], answered));
    save();
    announceUnsent();
  }
  const stamp = () => ({ change: randomId(), at: Date.now() });

  function setStatus(id: string, status: 'pending' | 'deleted'): void {
    const entry = entries.get(id);
    if (entry && mayBecome(viewOf(entry).status, status))
      record(id, { ...stamp(), kind: 'status', inspection: id, status });
  }

  const isCurrent = (id: string) => attempt(() => session().getItem(CURRENT), null) === id;
  function setCurrent(id: string | null): void {
    attempt(() => (id ? session().setItem(CURRENT, id) : session().removeItem(CURRENT)), undefined);
  }

  function onBroadcast({ data }: MessageEvent<Broadcast>): void {
    for (const id of data.answered) answered.add(id);
    absorb(data.entries.filter(isEntry));
    changed();
  }
  function onStorage(event: StorageEvent): void {
    // A cleared storage takes nothing away: this tab still knows, and the companion keeps the record.
    if (event.key !== NAME && event.key !== null) return;
    absorb(storage.read());
    changed();
  }

  return {
    start() {
      absorb(storage.read());
      if (bus) bus.onmessage = onBroadcast;
      view.addEventListener('storage', onStorage);
      changed();
    },
    stop() {
      view.removeEventListener('storage', onStorage);
      bus?.close();
    },
    items() {
      return [...entries.values()]
        .filter((entry) => !project || !entry.project || entry.project === project)
        .map(viewOf)
        .filter((item) => item.status !== 'deleted')
        .sort((a, b) => b.timestamp - a.timestamp);
    },
    add(context, description) {
      const { at, change } = stamp();
      const { sourceInfo, selector, url, title } = context;
      const item: Entry = {
        id: randomId(),
        sourceInfo,
        description: description.slice(0, limits.descriptionChars),
        status: 'pending',
        timestamp: at,
        updated: at,
        rev: 0,
        selector,
        url,
        title,
        author: 'user',
        ...(project ? { project } : {}),
      };
      put({ ...item, unsent: [{ change, at, kind: 'create' }] });
      setCurrent(item.id);
      save();
      announceUnsent();
      return item;
    },
    edit: (id, description) =>
      record(id, {
        ...stamp(),
        kind: 'edit',
        inspection: id,
        description: description.slice(0, limits.descriptionChars),
      }),
    remove: (id) => setStatus(id, 'deleted'),
    reopen: (id) => setStatus(id, 'pending'),
    get problem() {
      return storage.problem;
    },
    onChange: (listener) => void changeListeners.push(listener),
    onItem: (listener) => void itemListeners.push(listener),
    onRefused: (listener) => void refusedListeners.push(listener),
    onUnsent: (listener) => void unsentListeners.push(listener),
    unsent: () =>
      [...entries.values()]
        .filter((entry) => !entry.project || entry.project === project)
        .flatMap((entry) => (entry.unsent ?? []).map((change) => toChange(entry, change)))
        .sort((a, b) => a.at - b.at),
    known: () =>
      Object.fromEntries(
        [...entries.values()].filter((entry) => entry.rev > 0).map(({ id, rev }) => [id, rev]),
      ),
    receive(items) {
      if (items.length === 0) return;
      for (const item of items) {
        const known = entries.get(item.id);
        if (known && known.rev > item.rev) continue;
        const unsent = known?.unsent ?? [];
        put(withUnsent({ ...item, ...(project ? { project } : {}) }, unsent, answered));
      }
      save();
    },
    joined(id, missing) {
      project = id;
      for (const entry of entries.values()) if (!entry.project) put({ ...entry, project: id });
      for (const lost of missing) {
        const entry = entries.get(lost);
        if (entry?.project === id && !entry.unsent?.some(({ kind }) => kind === 'create'))
          record(lost, { ...stamp(), at: entry.timestamp, kind: 'create', restore: true });
      }
      save();
    },
    settle(results) {
      for (const result of results) {
        answered.add(result.change);
        for (const entry of entries.values()) {
          const change = entry.unsent?.find((waiting) => waiting.change === result.change);
          if (change) put(settled(entry, change, result, answered));
        }
        if (!result.ok) {
          const { message, fix } = result.error;
          for (const listener of refusedListeners) listener(`${message} ${fix ?? ''}`.trim());
        }
      }
      save();
    },
    flush,
  };
}

/** An accepted change becomes part of the entry, if the companion's own copy has not come already. */
function settled(
  entry: Entry,
  change: UnsentChange,
  result: ChangeResult,
  answered: ReadonlySet<string>,
): Entry {
  const rest = (entry.unsent ?? []).filter((waiting) => waiting !== change);
  const { unsent: _, ...base } = entry;
  if (!result.ok) {
    // A refused new inspection exists nowhere: it goes as it came.
    const gone = change.kind === 'create' && !change.restore && entry.rev === 0;
    return withUnsent(
      gone ? { ...base, status: 'deleted', updated: Date.now() } : base,
      rest,
      answered,
    );
  }
  if (result.rev <= entry.rev) return withUnsent(base, rest, answered);
  const applied = { ...base, ...viewOf({ ...base, unsent: [change] }), rev: result.rev };
  return withUnsent(applied, rest, answered);
}

function sameView(a: InspectionItem, b: InspectionItem): boolean {
  return (
    JSON.stringify({ ...a, rev: 0, updated: 0 }) === JSON.stringify({ ...b, rev: 0, updated: 0 })
  );
}
