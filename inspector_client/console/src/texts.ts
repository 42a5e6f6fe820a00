import { durationText } from '../../ui/words';
import { bytesText } from './ui/times';

/** Words of the console; those of its frame stand in the companion's template. */
export const texts = {
  close: 'Close',
};

/** Of getting in, and of a companion that is gone. */
export const enteringTexts = {
  entering: 'Opening…',
  title: 'This needs a new link',
  noLink: 'The console opens by a link that works once. Print one in a terminal, in your project:',
  spent:
    'This link was used already, or is too old. Print a new one in a terminal, in your project:',
  expired:
    'The companion was started anew, or this visit is too old. Print a new link in a terminal:',
  command: 'pageside console --open',
  lost: 'The companion does not answer.',
  retry: 'Try now',
  retryIn: (seconds: number) => `Next try in ${seconds} s.`,
  hint: 'Did it end? It starts with your dev server, or by “pageside serve”.',
};

export const overviewTexts = {
  waiting: 'Waiting for the companion…',
  companion: 'Companion',
  project: 'Project',
  version: 'Version',
  mcp: 'MCP endpoint',
  since: 'Running since',
  tabSocket: 'Tab socket',
  tabSockets: {
    listening: (port: number | null) => `listening on port ${port ?? '?'}`,
    shared: (port: number | null) => `shared with the companion that has port ${port ?? '?'}`,
    off: (_port: number | null) => 'off',
  } as Record<string, (port: number | null) => string>,
  paused: 'Agents are paused everywhere. Let them go on in the overlay’s Activity.',
  agents: 'Agents',
  noAgents: 'No agent is connected. Add the MCP endpoint above to your coding agent.',
  noCall: 'No call yet',
  connected: 'connected',
  lastCall: 'Last call:',
  onPage: (page: string) => `on ${page}`,
  pages: 'Pages',
  noPages: 'No page is open. Start your dev server with the Pageside plugin and open the app.',
  used: 'used',
  tabs: 'Tabs',
  noTabs:
    'No tab is connected. Press Connect in the Pageside panel of DevTools, or let an agent open Chrome.',
  vias: { extension: 'extension', cdp: 'CDP' } as Record<string, string>,
  chromes: 'Chromes',
  noChromes: 'No Chrome is known. An agent’s first call of a Chrome tool finds or launches one.',
  launched: 'launched by Pageside',
  attached: 'found running',
  notConnected: 'not connected',
  count: (shown: number, all: number) => (shown < all ? `${shown} of ${all}` : String(all)),
  tabCount: (count: number) => (count === 1 ? '1 tab' : `${count} tabs`),
  inspections: 'Inspections',
  noInspections: 'No inspection yet. Point at an element in the page and leave a note.',
  noNote: 'No note',
  steps: (done: number, all: number) => `${done} of ${all} steps`,
  servers: 'Servers',
  noServers: 'No server runs. A dev server with the plugin shows here, and what agents start.',
  devServer: 'dev server',
  pid: (pid: number) => `pid ${pid}`,
  untitled: 'Untitled',
  statuses: {
    pending: 'Pending',
    'in-progress': 'In progress',
    completed: 'Completed',
    failed: 'Failed',
    deleted: 'Deleted',
  } as Record<string, string>,
};

export const timelineTexts = {
  name: 'Timeline',
  none: 'Nothing has happened yet.',
  nothingFits: 'Nothing of this level yet.',
  level: 'Level',
  levels: {
    debug: 'Everything',
    info: 'Info and graver',
    warning: 'Warnings and errors',
    error: 'Errors',
  },
  follow: 'Follow',
};

export const connectionTexts = {
  name: 'Connection',
  states: {
    off: 'Disconnected',
    connecting: 'Connecting…',
    on: 'Connected',
    failed: 'Not connected',
  },
  none: 'There is no connection.',
  connect: 'Connect',
  disconnect: 'Disconnect',
  tools: (count: number) => `${count} tools`,
};

export const toolTexts = {
  tools: 'Tools',
  search: 'Search tools',
  groups: {
    inspections: 'Inspections and elements',
    loop: 'After an edit',
    ask: 'Asking the user',
    kapture: 'Kapture',
    browser: 'Browser',
    chrome: 'Chrome',
    relay: 'Relay',
    server: 'Dev servers',
    other: 'Others',
  } as Record<string, string>,
  none: 'No tool has all of these words.',
  offline: 'Connect to see the tools.',
  choose: 'Choose a tool',
  chooseHint: 'Each has a form here; what it answers shows below it.',
  hints: {
    readOnly: 'only reads',
    destructive: 'may destroy',
  },
  targets: 'Connected tabs',
  noTarget: 'None chosen',
  noTabs: 'No tab is connected.',
  form: 'Form',
  json: 'JSON',
  view: 'Arguments as',
  noArguments: 'This tool takes no arguments.',
  required: 'required',
  notSet: 'Not set',
  byDefault: (value: string) => `Default: ${value}`,

  kind: (name: string) => `Kind of ${name}`,
  kinds: {
    text: 'Text',
    number: 'Number',
    boolean: 'Yes or no',
    list: 'List',
    json: 'JSON',
    null: 'None (null)',
    choice: 'Choice',
    scalar: 'Text or number',
  } as Record<string, string>,
  add: (name: string) => `Add to ${name}`,
  item: (name: string, number: number) => `${name} ${number}`,
  remove: (name: string) => `Remove ${name}`,
  editor: 'Arguments as JSON',
  formOf: (tool: string) => `Arguments of ${tool}`,
  execute: 'Execute',
  executeKeys: 'Ctrl+Enter',
  running: (tool: string, ms: number) => `Running ${tool}… ${durationText(ms)}`,
  cancel: 'Cancel',
  clear: 'Clear',
  anyway: 'Run anyway',
  wrong: (count: number) =>
    count === 1 ? 'One argument is not right.' : `${count} arguments are not right.`,
  wrongJson: 'The form shows what was valid last.',
  notConnected: 'Not connected: press Connect first.',
};

/** What is wrong with an argument. */
export const checkTexts = {
  missing: 'This is required.',
  notNumber: 'A number is needed.',
  notInteger: 'A whole number is needed.',
  type: (wanted: string) => `The kind is wrong: ${wanted} is needed.`,
  least: (least: number) => `At least ${least}.`,
  most: (most: number) => `At most ${most}.`,
  above: (least: number) => `More than ${least}.`,
  short: (least: number) => `At least ${least} characters.`,
  long: (most: number) => `At most ${most} characters.`,
  pattern: (pattern: string) => `It has to match ${pattern}.`,
  choice: (choices: string) => `One of: ${choices}.`,
  few: (least: number) => `At least ${least} entries.`,
  many: (most: number) => `At most ${most} entries.`,
  unknown: 'This tool has no such argument.',
  json: (place: string) => `No valid JSON at ${place}.`,
  noJson: 'This is no valid JSON.',
  notObject: 'The arguments have to be an object: { … }.',
  at: (line: number, column: number) => `line ${line}, column ${column}`,
};

export const responseTexts = {
  name: 'Response',
  none: 'Nothing was run yet.',
  success: 'Success',
  failed: 'Failed',
  cancelled: 'Cancelled',
  fix: 'What to do:',
  untrusted: 'From the page: data, never instructions.',
  views: { tree: 'Tree', text: 'Text', json: 'JSON' },
  view: 'Show as',
  empty: 'No content.',
  noPictures: 'Pictures are not kept in the history.',
  tooLarge: 'The answer was too large to keep in the history.',
  picture: (number: number) => `Picture ${number}: open large`,
  pictureSize: (mime: string, bytes: number) => `${mime}, ${bytesText(bytes)}`,
  download: 'Download',
  leftOut: (bytes: number) => `<picture, ${bytesText(bytes)}>`,
};

export const historyTexts = {
  name: 'History',
  none: 'What you run shows here.',
  ended: { success: 'succeeded', failed: 'failed', cancelled: 'cancelled' },
  again: 'Run again',
  load: 'Load into the form',
  show: 'Show the response',
  remove: 'Delete',
  export: 'Export',
  clear: 'Clear',
  troubles: {
    full: 'No room in this browser: the history ends with this visit.',
    shortened: 'The oldest entries were let go: no more room in this browser.',
  },
  sure: (tool: string) => `Run ${tool} again?`,
  sureWhy: 'It may destroy something. These are its arguments:',
  run: 'Run',
  cancel: 'Cancel',
  sureClear: 'Delete the whole history?',
  sureClearWhy: 'It cannot be brought back.',
};

export const askTexts = {
  title: 'A tool asks you',
  accept: 'Accept',
  decline: 'Decline',
};
