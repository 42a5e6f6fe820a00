import { clip, isRecord } from '../basics';
import type { Connection } from '../connection/session';
import type { InspectionItem, Status, StepStatus } from '../protocol';
import type { StorageProblem } from '../queue/storage';

/** All words that people read on the page. */
export const texts = {
  product: 'Pageside',
  toolbar: 'Pageside toolbar',
  pick: 'Pick',
  pickElement: 'Pick an element (Alt+I)',
  pickArea: 'Pick an area (Alt+S)',
  inspections: 'Inspections',
  openPanel: (count: number) => `Inspections (${count} open)`,
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  edit: 'Edit note',
  reopen: 'Reopen',
  remove: 'Delete',
  noNote: 'No note',
  notePlaceholder: 'What should change here?',
  noteLabel: 'Note for your agent',
  noteHint: 'Enter saves, Shift+Enter starts a new line',
  saved: 'Saved. Your agent can see it.',
  emptyTitle: 'Nothing here yet',
  emptyText: 'Press Alt+I and click what should change. Your agent picks it up from here.',
  area: (count: number) => `Area of ${count} ${count === 1 ? 'element' : 'elements'}`,
  areaLabel: 'Area',
  agentAsks: (agent: string) => `${agent} asks you to`,
  ask: { element: 'point at an element', area: 'draw an area' },
  decline: 'Not now',
  hints: {
    element: 'Click or Enter takes it · arrows walk the tree · Esc cancels',
    area: 'Drag a rectangle · Esc cancels',
  },
  waiting: (count: number) =>
    count === 1
      ? 'An agent waits to ask you something.'
      : `${count} agents wait to ask you something.`,
  steps: (done: number, all: number) => `${done} of ${all} steps`,
  refused: (message: string) => `Not saved: ${message}`,
} as const;

export const statusTexts: Record<Status, string> = {
  pending: 'Pending',
  'in-progress': 'In progress',
  completed: 'Completed',
  failed: 'Failed',
  deleted: 'Deleted',
};

export const stepTexts: Record<StepStatus, string> = {
  pending: 'to do',
  'in-progress': 'in progress',
  completed: 'done',
  failed: 'failed',
};

const PROBLEMS: Record<StorageProblem, string> = {
  corrupt:
    'The saved inspections were damaged. What could be read is here; a copy of the rest is kept in this browser.',
  denied: 'This browser does not let the page store anything. Notes live only as long as this tab.',
  full: "This browser's storage is full. New notes live in this tab until your agent has them.",
};
export const problemText = (problem: StorageProblem): string => PROBLEMS[problem];

export function connectionText(connection: Connection): string {
  switch (connection.state) {
    case 'connecting':
      return 'Connecting…';
    case 'online':
      return `Connected to ${connection.project}`;
    case 'offline':
      return 'Offline. Notes are kept and sent later.';
    case 'refused':
      return connection.message;
  }
}

export function placeText({ sourceInfo }: Pick<InspectionItem, 'sourceInfo'>): string {
  const { file, line } = sourceInfo;
  return file ? `${file}:${line}` : '';
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function agoText(time: number, now: number): string {
  const age = now - time;
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)} h ago`;
  return new Date(time).toLocaleDateString();
}

const TOAST_CHARS = 160;

/** What a toast says for each window event; anyone may dispatch one, with any detail. */
export const eventTexts = {
  activateInspector: (detail: unknown) => {
    const agent = field(detail, 'agent');
    return agent ? `${agent} asks you to point at something.` : '';
  },
  elementInspected: (detail: unknown) => (field(detail, 'inspectionId') ? texts.saved : ''),
  planProgressReported: (detail: unknown) => {
    const plan = isRecord(detail) ? detail.plan : null;
    const steps = isRecord(plan) && Array.isArray(plan.steps) ? plan.steps : [];
    const done = steps.filter((step) => field(step, 'status') === 'completed').length;
    const now = steps.find((step) => field(step, 'status') === 'in-progress');
    return [texts.steps(done, steps.length), field(now, 'title')].filter(Boolean).join(' · ');
  },
  inspectionResultReceived: (detail: unknown) => {
    const message = field(isRecord(detail) ? detail.result : null, 'message');
    return withStatus(field(detail, 'status'), message);
  },
  inspectionStatusUpdated: (detail: unknown) =>
    withStatus(field(detail, 'status'), field(detail, 'message')),
  inspectionDeleted: () => 'Inspection deleted.',
};

function field(record: unknown, name: string): string {
  const value = isRecord(record) ? record[name] : '';
  return typeof value === 'string' ? clip(value, TOAST_CHARS) : '';
}

function withStatus(status: string, message: string): string {
  const name = Object.hasOwn(statusTexts, status) ? statusTexts[status as Status] : status;
  return [name, message].filter(Boolean).join(': ');
}
