// What people read of the workbench; what is there before it is loaded says the words of src/ui/texts.ts.
import type { Decision, Intent, Severity } from '../protocol';
import type { StorageProblem } from '../queue/storage';

/** Of the list of inspections and its markers on the page. */
export const queueTexts = {
  markers: 'Inspections on this page',
  hideMarkers: 'Hide the markers on the page',
  showMarkers: 'Show the markers on the page',
  marker: (number: number, words: string, status: string, isExact: boolean) =>
    `Inspection ${number}: ${words} · ${status}${isExact ? '' : ' · perhaps here'}`,
  noWords: 'No note',
  lost: 'Its element is not on this page now.',
  elsewhere: 'It is about another page.',
  approximate: 'The picked element is gone; this one is most like it.',
  show: 'Show on page',
  messages: 'Messages',
  you: 'You',
  someAgent: 'Agent',
  asked: 'asks',
  reply: 'Reply',
  accept: 'Accept',
  reopen: 'Reopen',
  replyHere: 'Reply to the agent',
  reopenHere: 'What is still to do? (optional)',
  send: 'Send',
  move: 'Move',
  moveHint: 'Drag, or Alt and the arrow keys',
  moved: (place: number, count: number) => `Moved to place ${place} of ${count}`,
  number: (number: number) => `Number ${number}`,
  filter: 'Filter',
  status: 'Status',
  anyStatus: 'Any status',
  intent: 'Intent',
  anyIntent: 'Any intent',
  severity: 'Severity',
  anySeverity: 'Any severity',
  here: 'This page',
  nothingFits: 'Nothing fits the filter.',
  earlier: (count: number, left: number) => `Show ${count} earlier (of ${left})`,
  later: (count: number, left: number) => `Show ${count} more (of ${left})`,
  finished: (count: number) => `Finished (${count})`,
  clear: 'Clear',
  undo: 'Undo',
  removed: (words: string) => `Deleted: ${words}`,
  removedMany: (count: number) => `Deleted: ${count} inspections`,
};

/** Of one inspection, and of the list. */
export const workbenchTexts = {
  edit: 'Edit note',
  reopen: 'Reopen',
  remove: 'Delete',
  noNote: 'No note',
  empty: 'Nothing here yet',
  emptyHint: 'Pick what should change, by the crosshair or its shortcut.',
  intent: 'Intent',
  severity: 'Severity',
};

/** Of picking, besides what the banner says at once. */
export const pickingTexts = {
  walk: 'Arrows or Alt+wheel walk',
  more: 'Shift+click chooses several · drag frames an area',
  text: 'Enter takes the selected text',
  marked: (count: number) => `${count} chosen · Enter takes them · Shift+click adds or removes`,
  frozen: 'Page frozen (F)',
  moves: 'F freezes the page',
};

/** Of the user's settings. */
export const settingsTexts = {
  name: 'Settings',
  shortcuts: 'Shortcuts',
  hint: 'Press the keys in their field. They do nothing while you type somewhere.',
  actions: {
    element: 'Pick an element',
    area: 'Pick an area',
    panel: 'Open the panel',
    answer: 'Answer an agent',
  },
  none: 'None',
  noKeys: 'none',
  looks: 'Looks and picking',
  theme: 'Colours',
  themes: { auto: 'As the system', light: 'Light', dark: 'Dark', page: 'As the page' },
  side: 'Side',
  sides: { right: 'Right', left: 'Left' },
  freeze: 'Freeze the page while picking',
  reset: 'Back to the project’s settings',
};

/** Of the cards on which agents ask. */
export const requestTexts = {
  asks: (agent: string) => `${agent} asks`,
  why: (reason: string) => `Why: ${reason}`,
  more: (count: number) => `${count} more waiting`,
  waiting: (count: number) => `Agents that wait for your answer: ${count}`,
  reach: (keys: string) => `Press ${keys} to answer.`,
  fold: 'Fold',
  send: 'Send',
  yourAnswer: 'Your answer',
  otherwise: 'Or in your own words',
  none: 'None of these',
  noneWords: 'If none: what is meant? (optional)',
  another: 'Pick another',
  notThere: (selector: string) => `Not on the page: ${selector}`,
  firstOf: (matches: number) => `first of ${matches}`,
};

/** Of what agents do and may do. */
export const activityTexts = {
  activity: 'Activity',
  calls: 'What agents did',
  none: 'No agent has done anything here yet.',
  agent: 'Agent',
  tool: 'Tool',
  allAgents: 'All agents',
  allTools: 'All tools',
  clear: 'Clear',
  acting: (agent: string, others: number) => (others ? `${agent} and ${others} more` : agent),
  running: (tool: string) => `Running ${tool}. Show what agents do`,
  runningFor: (seconds: number) => `running ${seconds} s`,
  pause: 'Pause agents in this page',
  pauseHere: 'Pause here',
  pauseEverywhere: 'Pause everywhere',
  resume: 'Let agents go on',
  stop: 'Stop agents in this page',
  stopHere: 'Stop',
  paused: 'Agents paused',
  heldHere:
    'Agents can neither read nor act in this page. They can still read and update inspections.',
  heldEverywhere:
    'Agents can neither read nor act in any page of this project. They can still read and update inspections.',
  permissions: 'Permissions',
  asItsGroup: (tool: string) => `Treat ${tool} as its group`,
  mayRun: (tool: string) => `May it run ${tool}?`,
  what: 'What it would do',
  foreign: (origin: string) => `It would run on ${origin}, which is no dev server of this project.`,
  elsewhere: 'It is not about this page.',
  once: 'Allow once',
  always: 'Always allow this tool',
  deny: 'Deny',
};

export const decisionTexts: Record<Decision, string> = {
  allow: 'Allow',
  ask: 'Ask first',
  deny: 'Deny',
};

/** Groups of agents' tools; `acting` is all of those that do something to a page. */
export const groupTexts = {
  acting: 'Everything that acts',
  scripts: 'Run scripts',
  input: 'Click, type, drag',
  navigation: 'Open and leave pages',
  conditions: 'Change size and conditions, record',
  app: 'Functions of the app',
  reading: 'Read the page',
  asking: 'Ask you',
  servers: 'Start and stop dev servers',
};

/** Behind an agent's name: how its call ended, unless all went well. */
export function outcomeText(outcome = 'ok'): string {
  return outcome === 'ok' ? '' : ` · ${outcome}`;
}

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

export const exchangeTexts = {
  copy: 'Copy as Markdown',
  copyAll: 'Copy all',
  export: 'Export',
  import: 'Import',
  nothing: 'There is nothing yet.',
  byHand: 'The browser does not let us copy: take it from here.',
  copied: (count: number) => (count > 1 ? `${count} inspections copied.` : 'Inspection copied.'),
  copiedFile: 'No download here: the file is in the clipboard instead.',
  exported: (count: number) => `${count} exported.`,
  unreadable: {
    tooLarge: 'The file is too large.',
    noJson: 'The file is no JSON.',
    notOurs: 'The file holds no inspections of Pageside.',
    otherVersion: 'The file was written by another version of Pageside.',
    tooMany: (most: number) => `The file holds more than ${most} inspections.`,
  },
  wrongItem: (number: number, why: string) => `item ${number}: ${why}`,
  noInspection: 'no inspection',
  tooLargeItem: 'too large',
  notImported: 'Nothing was imported.',
  imported: (count: number) => `${count} imported.`,
  skipped: (count: number, here: number, wrong: string[]) =>
    `${count} skipped: ${[
      here && `${here} here already`,
      ...wrong.slice(0, 3),
      wrong.length > 3 && '…',
    ]
      .filter(Boolean)
      .join(', ')}.`,
  foreign: (project: string) => `They come from another project, ${project}.`,
};

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

export const problemTexts: Record<StorageProblem, string> = {
  corrupt: 'Some saved inspections were damaged. A copy is kept.',
  denied: 'No storage allowed here: unsent notes end with it.',
  full: 'No storage left here: unsent notes end with it.',
};

export function agoText(time: number): string {
  const minutes = Math.floor((Date.now() - time) / 60_000);
  if (minutes < 1) return 'just now';
  return minutes < 60 ? `${minutes} min ago` : new Date(time).toLocaleString();
}
