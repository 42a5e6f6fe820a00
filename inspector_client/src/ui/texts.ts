import type { Connection } from '../connection/session';
import type { InspectionItem, SourceInfo, Status } from '../protocol';
import { h, textButton } from './dom';

export type OpenPlace = (place: Pick<SourceInfo, 'file' | 'line' | 'column'>) => void;

/** What people read on the page before anything else of the overlay is loaded. */
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
  someAgent: 'An agent',
  decline: 'Not now',
  withdrawn: 'The agent stopped asking.',
  standsStill: 'The user is picking: timers and frames of the page wait until that ends.',
  elementHint: 'Click or Enter picks · Esc cancels',
  areaHint: 'Drag a rectangle · Esc cancels',
  waiting: (count: number) => `Agents waiting to ask: ${count}`,
  notSent: 'Not sent',
  notLoaded: 'The dev server does not answer: this part of Pageside is not loaded yet.',
  open: (place: string) => `Open ${place} in editor`,
};

/** Only what comes with the details shows these. */
export const usageTexts = { mark: 'mark them' };

export const statusTexts: Record<Status, string> = {
  pending: 'Pending',
  'in-progress': 'In progress',
  completed: 'Completed',
  failed: 'Failed',
  deleted: 'Deleted',
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
