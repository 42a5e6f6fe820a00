import type { Connection } from '../connection/session';
import type { InspectionItem, Intent, Severity, SourceInfo, Status } from '../protocol';
import type { StorageProblem } from '../queue/storage';
import { h, textButton } from './dom';

export type OpenPlace = (place: Pick<SourceInfo, 'file' | 'line' | 'column'>) => void;

/** All words that people read on the page. */
export const texts = {
  pick: 'Pick',
  element: 'Pick an element',
  area: 'Pick an area',
  inspections: 'Inspections',
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  note: 'What should change here?',
  noteHint: 'Shift+Enter: new line',
  saveAndGoOn: 'Save, pick next',
  saveAndGoOnHint: 'Ctrl+Enter',
  saved: 'Saved for your agent.',
  deleted: 'Inspection deleted.',
  elements: (count: number) => `${count} elements`,
  asks: (agent: string, mode = 'element') => `${agent} asks you to pick an ${mode}`,
  decline: 'Not now',
  withdrawn: 'The agent stopped asking.',
  elementHint: 'Click or Enter picks · arrows or Alt+wheel walk · Esc cancels',
  areaHint: 'Drag a rectangle · Esc cancels',
  waiting: (count: number) => `Agents waiting to ask: ${count}`,
  notSent: 'Not sent',
  notLoaded: 'The dev server does not answer: this part of Pageside is not loaded yet.',
  open: (place: string) => `Open ${place} in editor`,
};

/** Only what comes with the workbench shows these. */
export const workbenchTexts = {
  edit: 'Edit note',
  reopen: 'Reopen',
  remove: 'Delete',
  noNote: 'No note',
  empty: 'Nothing here yet',
  emptyHint: 'Press Alt+I and click what should change.',
  intent: 'Intent',
  severity: 'Severity',
};

/** Of picking, what comes with the workbench. */
export const pickingTexts = {
  more: 'Shift adds · drag frames an area · F freezes',
  text: 'Enter takes the selected text',
  marked: (count: number) => `${count} chosen · Enter takes them · Shift+click adds or removes`,
  frozen: 'Frozen',
  thaw: 'F unfreezes',
};

/** Of the cards on which agents ask, which come with the workbench. */
export const requestTexts = {
  asks: (agent: string) => `${agent} asks`,
  why: (reason: string) => `Why: ${reason}`,
  decline: 'Not now',
  more: (count: number) => `${count} more waiting`,
  waiting: (count: number) => `Agents that wait for your answer: ${count}`,
  reach: 'Press Alt+A to answer.',
  send: 'Send',
  yourAnswer: 'Your answer',
  otherwise: 'Or in your own words',
  none: 'None of these',
  noneWords: 'If none of these: what is meant? (optional)',
  another: 'Pick another',
  notThere: (selector: string) => `Not on the page: ${selector}`,
  firstOf: (matches: number) => `first of ${matches}`,
};

/** Only what comes with the details shows these. */
export const usageTexts = { mark: 'mark them' };

export const intentTexts: Record<Intent, string> = {
  fix: 'Fix',
  change: 'Change',
  question: 'Question',
};

export const severityTexts: Record<Severity, string> = {
  low: 'Low',
  normal: 'Normal',
  high: 'High',
};

export const toolTexts = { arrow: 'Arrow', box: 'Box', pen: 'Pen' };

export const sketchTexts = {
  sketch: 'Sketch',
  start: 'Sketch on the page',
  shapes: (count: number) => `Sketch on the page, ${count} drawn`,
  tools: 'Tool',
  undo: 'Undo',
  clear: 'Clear',
  done: 'Done',
  hint: 'Draw with the pointer · Esc: back to the note',
  full: 'The sketch is full.',
};

export const statusTexts: Record<Status, string> = {
  pending: 'Pending',
  'in-progress': 'In progress',
  completed: 'Completed',
  failed: 'Failed',
  deleted: 'Deleted',
};

export const problemTexts: Record<StorageProblem, string> = {
  corrupt: 'Some saved inspections were damaged. A copy is kept.',
  denied: 'No storage allowed here: unsent notes end with it.',
  full: 'No storage left here: unsent notes end with it.',
};

export function connectionText(connection: Connection): string {
  switch (connection.state) {
    case 'online':
      return `Connected to ${connection.project}`;
    case 'refused':
      return connection.message;
    case 'offline':
      return 'Offline: notes are sent later.';
    default:
      return 'Connecting…';
  }
}

export function agoText(time: number): string {
  const minutes = Math.floor((Date.now() - time) / 60_000);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${minutes} min ago` : new Date(time).toLocaleString();
}

/** An element and its place: the tag in bold, the rest beside it; the place of the project opens. */
export function aboutText(
  { sourceInfo, area }: Pick<InspectionItem, 'sourceInfo' | 'area'>,
  open: OpenPlace,
): (Node | string)[] {
  // Only what a page made is sure to have it all.
  const { elementInfo, component, file = '', line }: Partial<SourceInfo> = sourceInfo;
  const place = file && `${file}:${line}`;
  const shown = /^$|^\.\.|node_modules/.test(file) ? place : linkTo(place, () => open(sourceInfo));
  const rest = [component, shown, area && texts.elements(area.total)];
  const parts = rest.flatMap((part) => (part ? [' · ', part] : []));
  return [h('b', {}, `<${elementInfo?.tagName ?? '?'}>`), ' ', ...parts.slice(1)];
}

function linkTo(place: string, press: () => void): HTMLElement {
  const link = textButton(place, press, 'link');
  link.ariaLabel = link.title = texts.open(place);
  return link;
}
