import { createSignal, oncePerFrame, type Signal } from '../basics';
import { type InspectionItem, localKeys } from '../protocol';
import { type Entry, heldOf, isEntry, mergeEntries, sameView, viewOf } from './entry';
import type { EntryStorage } from './storage';

export interface EntriesParts {
  storage: EntryStorage;
  bus: Pick<BroadcastChannel, 'postMessage' | 'onmessage'> | null;
  locks: LockManager | null | undefined;
}

/** The entries as this tab knows them, kept in the storage and in step with the other tabs. */
export interface Entries {
  readonly byId: Map<string, Entry>;
  /** Changes that need not be sent any more. */
  readonly answered: ReadonlySet<string>;
  /** There is something else to show. */
  readonly changed: Signal<[]>;
  /** One known item looks different than before. */
  readonly itemChanged: Signal<[after: InspectionItem, before: InspectionItem]>;
  /** There is something to send. */
  readonly waiting: Signal<[]>;
  start(): void;
  put(next: Entry): void;
  /** A change is answered, or withdrawn. */
  end(change: string): void;
  /** Tells the other tabs; only what this tab alone knows: each of them hears the companion itself. */
  share(entries: Entry[], answered?: string[]): void;
  save(): void;
  /** What the companion has as well may wait for more of it. */
  saveSoon(): void;
  flush(): void;
}

interface Broadcast {
  entries: Entry[];
  answered: string[];
}

const SETTLE_MS = 200;
/** A clock may be a little behind the timer. */
const SPARE_MS = 20;
const REMEMBERED = 500;
const NAME = localKeys.items;

export function createEntries({ storage, bus, locks }: EntriesParts): Entries {
  const byId = new Map<string, Entry>();
  const answered = new Set<string>();
  const changed = createSignal();
  const itemChanged = createSignal<[InspectionItem, InspectionItem]>();
  const waiting = createSignal();
  /** In a hidden tab there is nothing to show until it is in view. */
  const show = oncePerFrame(() => changed.emit());
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;

  function put(next: Entry): void {
    const before = byId.get(next.id);
    byId.set(next.id, next);
    for (const { due } of heldOf(next)) setTimeout(waiting.emit, due - Date.now() + SPARE_MS);
    const view = viewOf(next);
    if (before && !sameView(viewOf(before), view)) itemChanged.emit(view, viewOf(before));
  }
  function absorb(list: Entry[]): void {
    for (const entry of list) {
      const { id, rev, unsent } = entry;
      const known = byId.get(id);
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
    storage.write([...byId.values()]);
  }
  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const write = () => {
      isAsked = false;
      flush();
      show();
    };
    // Shown at once; the lock may take a moment, and what comes meanwhile is written with it.
    show();
    if (!locks) write();
    else if (!isAsked) {
      isAsked = true;
      void locks.request(NAME, write);
    }
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
  return {
    byId,
    answered,
    changed,
    itemChanged,
    waiting,
    start() {
      absorb(storage.read());
      if (bus) bus.onmessage = onBroadcast;
      addEventListener('storage', onStorage);
      show();
    },
    put,
    end,
    share: (entries, ended = []) => bus?.postMessage({ entries, answered: ended }),
    save,
    saveSoon() {
      show();
      timer ??= setTimeout(save, SETTLE_MS);
    },
    flush,
  };
}
