import { isRecord } from '../basics';
import type { Change, CreateChange, EditChange, InspectionItem, StatusChange } from '../protocol';
import { isStatus, mayBecome } from './status';

/** A create change lies in the queue without its item, which is the entry itself. */
export type UnsentChange = Omit<CreateChange, 'item'> | StatusChange | EditChange;

/** What localStorage holds: the item at the revision the companion gave, and what it has not heard yet. */
export interface Entry extends InspectionItem {
  unsent?: UnsentChange[];
  /** Id of the project, once the companion told: projects may share a port, hence the storage. */
  project?: string;
}

export function isEntry(value: unknown): value is Entry {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    isStatus(value.status) &&
    typeof value.description === 'string' &&
    Number.isFinite(value.timestamp) &&
    Number.isFinite(value.rev) &&
    isRecord(value.sourceInfo) &&
    (value.unsent === undefined || Array.isArray(value.unsent))
  );
}

/** The same entry as two tabs know it: the higher revision, with the unsent changes of both. */
export function mergeEntries(a: Entry, b: Entry, answered: ReadonlySet<string>): Entry {
  const count = (entry: Entry) => entry.unsent?.length ?? 0;
  const newer = b.rev > a.rev || (b.rev === a.rev && count(b) > count(a)) ? b : a;
  const older = newer === a ? b : a;
  const project = newer.project ?? older.project;
  return withUnsent(
    project ? { ...newer, project } : newer,
    [...(newer.unsent ?? []), ...(older.unsent ?? [])],
    answered,
  );
}

export function withUnsent(
  entry: Entry,
  changes: UnsentChange[],
  answered: ReadonlySet<string>,
): Entry {
  const byId = new Map(changes.map((change) => [change.change, change]));
  const left = [...byId.values()]
    .filter((change) => !answered.has(change.change))
    .sort((a, b) => a.at - b.at);
  const { unsent: _, ...rest } = entry;
  return left.length > 0 ? { ...rest, unsent: left } : rest;
}

/** The item as the user sees it: what he changed counts at once. */
export function viewOf(entry: Entry): InspectionItem {
  const { unsent = [], project: _, ...item } = entry;
  return unsent.reduce(applyChange, item);
}

function applyChange(item: InspectionItem, change: UnsentChange): InspectionItem {
  if (change.kind === 'edit')
    return { ...item, description: change.description, updated: change.at };
  if (change.kind !== 'status' || !mayBecome(item.status, change.status)) return item;
  const { message: _, progress: __, ...rest } = item;
  return { ...rest, status: change.status, updated: change.at };
}

export function toChange(entry: Entry, change: UnsentChange): Change {
  if (change.kind !== 'create') return change;
  const { unsent: _, project: __, ...item } = entry;
  return { ...change, item };
}
