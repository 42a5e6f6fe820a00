import { attempt, createSignal, explained, randomId, type Signal } from '../basics';
import type {
  Change,
  ChangeResult,
  ElementContext,
  InspectionItem,
  ItemChange,
  Remarks,
} from '../protocol';
import { limits, sessionKeys } from '../protocol';
import { createEntries, type EntriesParts } from './entries';
import {
  byPlace,
  type Entry,
  type HeldChange,
  heldOf,
  refusalOf,
  type SeenItem,
  settled,
  toChange,
  type UnsentChange,
  viewOf,
  withUnsent,
} from './entry';
import { isOpen, mayBecome } from './status';
import type { EntryStorage, StorageProblem } from './storage';

export interface QueueParts extends EntriesParts {
  storage: EntryStorage;
  session: () => Storage;
  /** The project of the page; null: that of the first companion that answers. */
  home: string | null;
}

export type ItemListener = (after: InspectionItem, before: InspectionItem) => void;

type Unstamped<T> = T extends ItemChange ? Omit<T, 'change' | 'at' | 'inspection'> : never;
export type UserChange = Unstamped<ItemChange>;

/** A deletion that is not sent yet; those with the same `at` were made at once. */
export type Removed = HeldChange & { item: SeenItem };

export interface Queue {
  start(): void;
  items(): SeenItem[];
  add(context: ElementContext, description: string, more?: Partial<InspectionItem>): InspectionItem;
  edit(id: string, description: string, words?: Pick<Remarks, 'intent' | 'severity'>): void;
  /** Takes in an inspection from elsewhere; false: it is here already. */
  bring(item: InspectionItem): boolean;
  /** Whatever else the user does to one. A status that it cannot become now changes nothing. */
  change(id: string, what: UserChange): void;
  /** They are gone at once, and may be brought back for a while. */
  remove(ids: string[]): void;
  /** What may be brought back. */
  removed(): Removed[];
  /** Takes changes back that are not sent yet. */
  withdraw(changes: string[]): void;
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

const UNDO_MS = 8000;
const CURRENT = sessionKeys.current;

const changeOf = ({ unsent }: Entry, id: string) => unsent?.find(({ change }) => change === id);

/** The user's inspections: a cache of the companion's record, and an outbox. Shared by the tabs of one origin. */
export function createQueue({ session, home, ...parts }: QueueParts): Queue {
  const entries = createEntries(parts);
  const { byId, answered, put, end, share, save, saveSoon, waiting } = entries;
  const refused = createSignal<[string]>();
  let project = home;

  function record(id: string, change: UnsentChange): void {
    const entry = byId.get(id);
    if (!entry) return;
    const refusal = refusalOf(entry);
    if (refusal) end(refusal.change);
    // Whatever the user does to a refused one tries again.
    const again = refusal ? [{ ...refusal, change: randomId(), refused: undefined }] : [];
    const next = withUnsent(entry, [...again, ...(entry.unsent ?? []), change], answered);
    put(next);
    share([next], refusal && [refusal.change]);
    save();
    waiting.emit();
  }
  entries.itemChanged.on(({ id, status }) => {
    if (!isOpen(status)) forget(id);
  });
  const stamp = () => ({ change: randomId(), at: Date.now() });

  function change(id: string, what: UserChange, at = Date.now()): void {
    const entry = byId.get(id);
    const isLate = what.kind === 'status' && entry && !mayBecome(viewOf(entry).status, what.status);
    if (!isLate) record(id, { ...what, change: randomId(), at, inspection: id } as ItemChange);
  }
  function forget(id: string): void {
    const clear = () => session().getItem(CURRENT) === id && session().removeItem(CURRENT);
    attempt(clear, false);
  }

  function adopt(entry: Entry): void {
    if (!entry.project && project && (home ?? project) === project) put({ ...entry, project });
  }
  const ofThisProject = () =>
    [...byId.values()].filter(
      (entry) => !project || (entry.project ?? home ?? project) === project,
    );

  return {
    ...entries,
    refused,
    items: () =>
      ofThisProject()
        .map(viewOf)
        .filter((item) => item.status !== 'deleted')
        .sort(byPlace),
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
      change(id, { kind: 'edit', description, ...words });
    },
    bring(item) {
      const known = byId.get(item.id);
      if (known && viewOf(known).status !== 'deleted') return false;
      // A deleted one stays so, in every tab: this is another.
      const id = known ? randomId() : item.id;
      put({ ...item, id, rev: 0, ...(project && { project }) });
      record(id, { ...stamp(), kind: 'create', restore: true });
      return true;
    },
    change,
    remove(ids) {
      const at = Date.now();
      for (const id of ids)
        change(id, { kind: 'status', status: 'deleted', due: at + UNDO_MS }, at);
    },
    removed: () =>
      ofThisProject().flatMap((entry) =>
        heldOf(entry).map((change) => ({ ...change, item: viewOf(entry) })),
      ),
    withdraw(changes) {
      changes.forEach(end);
      const touched = [...byId.values()].filter((entry) =>
        changes.some((id) => changeOf(entry, id)),
      );
      const left = touched.map((entry) => withUnsent(entry, entry.unsent ?? [], answered));
      left.forEach(put);
      share(left, changes);
      save();
      // What waited for the end of the deletion.
      waiting.emit();
    },
    get problem() {
      return parts.storage.problem;
    },
    unsent: () =>
      ofThisProject()
        .filter((entry) => !refusalOf(entry) && !heldOf(entry).length)
        .flatMap((entry) => (entry.unsent ?? []).map((change) => toChange(entry, change)))
        .sort((a, b) => a.at - b.at),
    known: () =>
      Object.fromEntries(
        [...byId.values()].filter(({ rev }) => rev > 0).map(({ id, rev }) => [id, rev]),
      ),
    receive(items) {
      for (const item of items) {
        const known = byId.get(item.id);
        if (known && known.rev > item.rev) continue;
        const entry = { ...item, ...(project && { project }) };
        put(withUnsent(entry, known?.unsent ?? [], answered));
      }
      if (items.length > 0) saveSoon();
    },
    joined(id, missing) {
      project = id;
      for (const entry of byId.values()) adopt(entry);
      for (const entry of missing.map((lost) => byId.get(lost))) {
        if (entry?.project === id && !entry.unsent?.some(({ kind }) => kind === 'create'))
          record(entry.id, { ...stamp(), at: entry.timestamp, kind: 'create', restore: true });
      }
      saveSoon();
    },
    settle(results) {
      const told: Entry[] = [];
      const ended: string[] = [];
      for (const result of results) {
        const { change: id } = result;
        const entry = [...byId.values()].find((one) => changeOf(one, id));
        const change = entry && changeOf(entry, id);
        // What was to follow a refused new note stays with it.
        if (entry && refusalOf(entry)) continue;
        end(id);
        ended.push(id);
        if (!change) continue;
        const next = settled(entry, change, result, answered);
        put(next);
        told.push(next);
        if (!result.ok && next.status !== 'deleted') refused.emit(explained(result.error));
      }
      share(told, ended);
      saveSoon();
    },
  };
}
