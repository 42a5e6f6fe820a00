import type { Command, Connection, Failure, LogEntry } from '../shared/messages';

export const connections: Record<Connection, string> = {
  idle: 'Not connected',
  connecting: 'Connecting…',
  connected: 'Connected',
  executing: 'Running',
  disconnecting: 'Disconnecting…',
};

export const levels: Record<LogEntry['level'], string> = {
  debug: 'Debug',
  log: 'Log',
  info: 'Info',
  warning: 'Warning',
  error: 'Error',
};

/** A command without the prefix that its name has on the wire. */
export const shortName = (command: Command): string => command.replace('kapturemcp_', '');

const SELECTOR =
  'Try the selector with document.querySelector in DevTools; “ >>> ” enters open shadow roots.';

/** What a person can do about an error. */
const fixes: Record<string, string> = {
  NO_COMPANION: 'Then connect again. If it listens on another port, change the port below.',
  COMPANION_LOST: 'Pageside connects again by itself as soon as the companion is back.',
  DEBUGGER_CANCELLED: 'Connect again if agents are to use the tab.',
  TAB_CRASHED: 'Reload the tab.',
  ELEMENT_NOT_FOUND: `Nothing on the page fits now. ${SELECTOR}`,
  INVALID_SELECTOR: `It must be a CSS selector. ${SELECTOR}`,
  ELEMENT_NOT_READY:
    'Something covers the element, or it is disabled or still moving: look at the page.',
  COMMAND_TIMEOUT:
    'The page may be busy, paused in the debugger or showing a dialog. Look at it, and run again.',
  EXECUTION_ERROR: 'Read what the page said, correct the command and run it again.',
  SCRIPT_NOT_ALLOWED: 'Turn on “Agents may run scripts in this tab” if you want that.',
  NAVIGATION_FAILED: 'Check the address, and that its server answers.',
  RESULT_TOO_LARGE: 'Ask for less: a smaller element, fewer lines, or a part of the value.',
  DIALOG_OPEN: 'Answer the dialog that the page shows.',
  INVALID_ARGUMENTS: 'Correct the marked fields.',
  TAB_DISCONNECTED: 'Connect the tab again.',
  TAB_NOT_FOUND: 'The tab is closed. Open Pageside in another one.',
};

export const fixOf = ({ code }: Failure): string => fixes[code] ?? '';

export const texts = {
  product: 'Pageside',
  connect: 'Connect',
  disconnect: 'Disconnect',
  cancel: 'Cancel',
  tabSection: 'This tab',
  server: 'Companion',
  port: 'Port',
  savePort: 'Use this port',
  portSaved: (port: number) => `Port ${port} is used from the next connection on.`,
  badPort: 'A port is a whole number from 1 to 65535.',
  noTitle: 'No title',
  noUrl: 'Its address cannot be seen',
  tabId: 'Tab id',
  noTabId: 'given when it connects',
  copyTabId: 'Copy the tab id',
  since: 'Since',
  ended: 'has ended',
  queued: (count: number) => (count === 1 ? '1 command waits' : `${count} commands wait`),
  scripts: 'Agents may run scripts in this tab',
  scriptsHint:
    'A script can read and do all that you can, on every site that this tab goes to. Ends when the tab closes.',
  scriptWanted: 'An agent wants to run a script in this tab.',
  allow: 'Allow',
  dismiss: 'Dismiss',
  titleOf: (title: string) => `${title} · Pageside`,
  gone: 'Pageside was updated or turned off. Close this view, or DevTools, and open it again.',
  closed: 'The tab is closed.',
  noTab: 'Which tab? Open this page by Pageside’s toolbar button.',
  waits: 'Waiting for the extension…',

  commands: 'Commands',
  command: 'Command',
  run: 'Run',
  runHint: 'Ctrl+Enter',
  running: (seconds: string) => `Running… ${seconds}`,
  clear: 'Clear',
  connectFirst: 'Connect the tab to run commands.',
  optional: 'optional',
  standard: (value: string) => `${value} if left empty`,
  needed: 'This is needed.',
  notNumber: 'A number is needed here.',
  notWhole: 'A whole number is needed here.',
  tooSmall: (least: number) => `At least ${least}.`,
  tooLarge: (most: number) => `At most ${most}.`,
  tooShort: (least: number) => `At least ${least} characters.`,
  tooLong: (most: number) => `At most ${most} characters.`,
  notOf: (words: string) => `One of ${words}.`,
  noFields: 'This command has no parameters.',
  lost: 'The connection was lost before the answer came.',

  response: 'Response',
  noResponse: 'What a command gives is shown here.',
  succeeded: 'Done',
  failed: 'Failed',
  took: (milliseconds: string) => `took ${milliseconds}`,
  byAgent: 'by an agent',
  byUser: 'by you',
  agent: 'agent',
  you: 'you',
  parameters: 'Parameters',
  tree: 'Tree',
  text: 'Text',
  view: 'Show as',
  picture: (name: string) => `Screenshot “${name}”`,
  openPicture: 'Open in a new tab',
  download: 'Download',
  noPicture: 'The picture is no longer kept.',
  pictureGone: 'This picture is no longer kept: the last three of a tab are, until it closes.',

  history: 'History',
  noHistory: 'Commands of agents and your own appear here, the newest first.',
  again: 'Run again',
  againOf: (command: string) => `Run again: ${command}`,

  console: 'Console',
  consoleLines: 'Lines of the console',
  noLines: 'Nothing was logged since the tab is connected.',
  nothingFits: 'Nothing fits the chosen levels.',
  showLevels: 'Levels',
  maxLines: 'Lines',
  order: 'Order',
  newestFirst: 'Newest first',
  newestLast: 'Newest last',
  live: 'Live',
  read: 'Read now',
  clearConsole: 'Clear the console',
  newLines: 'Show new lines',
  lines: (shown: number, all: number) =>
    shown === all ? `${all} lines` : `${shown} of ${all} lines`,

  retrying: 'Pageside tries again by itself.',
  stopTrying: 'Stop trying',

  tabs: 'Connected tabs',
  noTabs: 'No tab is connected.',
  thisTab: 'this tab',
  openPanel: 'Open the panel in a tab',
  inDevTools: 'It is in DevTools as well: press F12 and choose “Pageside”, perhaps behind ».',
  notThisPage: 'Chrome lets no extension use this page. Go to a web page.',
};
