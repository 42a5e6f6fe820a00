// What a reload of the page, which is often an agent's doing, takes away from the panel: kept for this tab.
import { attempt, isRecord } from '../basics';
import { workbenchKeys } from '../protocol';

/** What is half-written at an inspection. */
export interface Draft {
  id: string;
  kind: DraftKind;
  text: string;
  /** The user was at it. */
  hasFocus: boolean;
}

export type DraftKind = 'edit' | 'reply' | 'reopen';

export interface Kept {
  /** The name of the view that was open; '' where none was. */
  view: string;
  drafts: Draft[];
}

/** Takes it out: a copy of this tab must not go on with the same. */
export function takeKept(session: () => Storage): Kept {
  const kept = attempt<unknown>(() => {
    const raw = session().getItem(workbenchKeys.panel);
    session().removeItem(workbenchKeys.panel);
    return JSON.parse(raw ?? 'null');
  });
  const { view, drafts }: Record<string, unknown> = isRecord(kept) ? kept : {};
  return {
    view: typeof view === 'string' ? view : '',
    drafts: Array.isArray(drafts) ? drafts.filter(isDraft) : [],
  };
}

/** Asks for it when the document goes away. */
export function keepOnLeave(session: () => Storage, kept: () => Kept): void {
  addEventListener('pagehide', () => {
    const text = JSON.stringify(kept());
    attempt(() => session().setItem(workbenchKeys.panel, text));
  });
}

function isDraft(value: unknown): value is Draft {
  return (
    isRecord(value) &&
    [value.id, value.text].every((text) => typeof text === 'string') &&
    /^(edit|reply|reopen)$/.test(String(value.kind))
  );
}
