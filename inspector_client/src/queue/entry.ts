import { explained, isRecord } from '../basics';
import {
  type Change,
  type ChangeResult,
  type CreateChange,
  type InspectionItem,
  type ItemChange,
  limits,
  type StatusChange,
} from '../protocol';
import { fitted } from './fit';
import { isStatus, mayBecome } from './status';

/** A create change lies in the queue without its item, which is the entry itself. */
export type UnsentChange = UnsentCreate | ItemChange;

export interface UnsentCreate extends Omit<CreateChange, 'item'> {
  /** Why the companion did not take it: kept until the user edits or deletes the note. */
  refused?: string;
}

export type HeldChange = StatusChange & { due: number };

/** An item as the user sees it. */
export type SeenItem = InspectionItem & Pick<UnsentCreate, 'refused'>;

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
    // Without `elementInfo` is what is left of a deleted one, or what somebody else made.
    isRecord(value.sourceInfo) &&
    Array.isArray(value.unsent ?? [])
  );
}

/** The same entry as two tabs know it: the higher revision, with the unsent changes of both. */
export function mergeEntries(a: Entry, b: Entry, answered: ReadonlySet<string>): Entry {
  const count = ({ unsent = [] }: Entry) =>
    unsent.filter(({ change }) => !answered.has(change)).length;
  const newer = (b.rev - a.rev || count(b) - count(a)) > 0 ? b : a;
  const older = newer === a ? b : a;
  const project = newer.project ?? older.project;
  const both = [...(newer.unsent ?? []), ...(older.unsent ?? [])];
  return withUnsent({ ...newer, ...(project && { project }) }, both, answered);
}

export function withUnsent(
  entry: Entry,
  changes: UnsentChange[],
  answered: ReadonlySet<string>,
): Entry {
  const byId = new Map(changes.map((change) => [change.change, change]));
  const left = [...byId.values()]
    .filter(({ change }) => !answered.has(change))
    .sort((a, b) => a.at - b.at);
  const { unsent: _, ...rest } = entry;
  return left.length > 0 ? { ...rest, unsent: left } : rest;
}

/** The item as the user sees it: what he changed counts at once. */
export function viewOf({ unsent = [], project: _, ...item }: Entry): SeenItem {
  return unsent.reduce(applyChange, item);
}

function applyChange(item: SeenItem, change: UnsentChange): SeenItem {
  const updated = change.at;
  if (change.kind === 'create') return { ...item, refused: change.refused };
  if (change.kind === 'reply') return { ...item, ...said(item, change, change.text), updated };
  if (change.kind !== 'status') {
    const { change: _, at: __, kind: ___, inspection: ____, ...given } = change;
    return { ...item, ...given, updated };
  }
  if (!mayBecome(item.status, change.status)) return item;
  const { message: _, progress: __, accepted: ___, ...rest } = item;
  const words = change.message ? said(item, change, change.message) : {};
  return { ...rest, ...words, status: change.status, updated };
}

/** The thread with what the user said, if it is not there already. */
function said(
  { replies = [] }: InspectionItem,
  { change: id, at }: UnsentChange,
  text: string,
): Pick<InspectionItem, 'replies'> {
  const others = replies.filter((reply) => reply.id !== id);
  const all = [...others, { id, from: 'user' as const, text, at }];
  return { replies: all.slice(-limits.replies) };
}

/** The queue's order: as the user put them, else as they were made. */
export function byPlace(a: InspectionItem, b: InspectionItem): number {
  const place = ({ order, timestamp }: InspectionItem) => order ?? timestamp;
  return place(a) - place(b) || a.timestamp - b.timestamp || (a.id < b.id ? -1 : 1);
}

/** What the user may still undo: it is not to be sent yet. */
export function heldOf({ unsent = [] }: Entry): HeldChange[] {
  return (unsent as HeldChange[]).filter(({ due }) => due > Date.now());
}

export function toChange(entry: Entry, change: UnsentChange): Change {
  const { unsent: _, project: __, ...item } = entry;
  return change.kind === 'create' ? { ...change, item: fitted(item) } : change;
}

export function refusalOf({ unsent = [] }: Entry): UnsentCreate | undefined {
  return (unsent as UnsentCreate[]).find(({ refused }) => refused);
}

/** An accepted change becomes part of the entry, if the companion's own copy has not come already. */
export function settled(
  entry: Entry,
  change: UnsentChange,
  result: ChangeResult,
  answered: ReadonlySet<string>,
): Entry {
  const { unsent = [], ...base } = entry;
  let next: Entry = base;
  if (result.ok && result.rev > entry.rev)
    next = { ...base, ...viewOf({ ...base, unsent: [change] }), rev: result.rev };
  if (!result.ok && change.kind === 'create') {
    // The companion does not know it: it stays here, unless it was to be deleted anyway.
    const { status, updated } = viewOf(entry);
    if (status === 'deleted') return { ...base, status, updated };
    // The same id in every tab that sent it.
    const kept = { ...change, change: `${change.change}!`, refused: explained(result.error) };
    return withUnsent(base, [kept, ...unsent], answered);
  }
  return withUnsent(next, unsent, answered);
}

export function sameView(a: InspectionItem, b: InspectionItem): boolean {
  const essence = (item: InspectionItem) => JSON.stringify({ ...item, rev: 0, updated: 0 });
  return essence(a) === essence(b);
}
