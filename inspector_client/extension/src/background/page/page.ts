// One tab under Chrome's debugger: its documents, its dialog, what it is doing, and its end.
import type { Repeats } from '../rules/entries';
import { CommandError } from '../rules/failure';
import { type Activity, createActivity } from './activity';
import { type Call, createCalls, type Send } from './calls';
import { createDocuments, type Documents } from './documents';
import { createEvents, type Events } from './events';
import type { InPage } from './in-page';

export interface Dialog {
  type: string;
  message: string;
}

export interface Page {
  events: Events;
  documents: Documents;
  activity: Activity;
  inPage: InPage;
  call: Call;
  until(signal: AbortSignal): Call;
  readonly dialog: Dialog | null;
  /** Enables Chrome's events; Chrome then tells again what was logged. */
  start(): Promise<void>;
  /** Ends what the page runs without an end, so that the next command is answered. */
  stop(): Promise<void>;
  /** Every open call ends. */
  end(why: CommandError): void;
}

const DURING_DIALOG =
  /^(Page\.(handleJavaScriptDialog|navigate|enable|getNavigationHistory|stopLoading|stopScreencast)|Target\.|Network\.|Runtime\.enable|Log\.|Emulation\.)/;
const AFTER_CRASH =
  /^(Page\.(navigate|reload|enable|getNavigationHistory)|Target\.|Network\.|Runtime\.enable|Log\.)/;
const LONGEST_TEXT = 300;
/** What is told by the tab itself, not by a frame with a process of its own. */
export const TAB = '';
const ENABLE_MS = 5000;
const PROBE_MS = 500;

export function createPage(send: Send, inPage: InPage, repeats: Repeats): Page {
  const events = createEvents();
  const calls = createCalls(send);
  const { call } = calls;
  const documents = createDocuments(events, call, inPage, repeats);
  const activity = createActivity(events, documents, inPage);
  let dialog: Dialog | null = null;

  events.on<Dialog>('Page.javascriptDialogOpening', ({ type, message }) => {
    dialog = { type, message: message.slice(0, LONGEST_TEXT) };
    calls.refuse(dialogOpen(dialog), (method) => DURING_DIALOG.test(method));
  });
  events.on('Page.javascriptDialogClosed', () => {
    dialog = null;
    calls.accept();
  });
  events.on('Inspector.targetCrashed', () => {
    dialog = null;
    const why = new CommandError(
      'TAB_CRASHED',
      'The page crashed; navigate the tab, or reload it.',
    );
    calls.refuse(why, (method) => AFTER_CRASH.test(method));
  });
  events.on('Inspector.targetReloadedAfterCrash', () => calls.accept());
  events.on<{ frame: { parentId?: string } }>('Page.frameNavigated', ({ frame }, session) => {
    // A new document has neither the dialog nor the crash of the one before.
    if (frame.parentId || session !== undefined) return;
    repeats.told(TAB);
    dialog = null;
    calls.accept();
  });
  // A document that comes out of the back/forward cache tells again what it logged before.
  events.on('Runtime.executionContextsCleared', (_none, session) => {
    if (session === undefined) repeats.asked(TAB);
  });
  events.on<{ sessionId: number }>('Page.screencastFrame', ({ sessionId }) => {
    call('Page.screencastFrameAck', { sessionId }).catch(() => null);
  });

  return {
    events,
    documents,
    activity,
    inPage,
    call,
    until: calls.until,
    get dialog() {
      return dialog;
    },
    async start() {
      const how = { limitMs: ENABLE_MS };
      const { frameTree } = await call<{ frameTree: { frame: { id: string } } }>(
        'Page.getFrameTree',
        {},
        how,
      );
      documents.show(frameTree.frame.id);
      repeats.asked(TAB);
      try {
        await Promise.all([
          call('Inspector.enable', {}, how),
          call('Page.enable', {}, how),
          call('Page.setLifecycleEventsEnabled', { enabled: true }, how),
          call('Runtime.enable', {}, how),
          call('Log.enable', {}, how),
          call('DOM.enable', {}, how),
          // A tab behind others draws no frames otherwise, and its timers run once a second.
          call('Emulation.setFocusEmulationEnabled', { enabled: true }, how),
          call('Target.setAutoAttach', ATTACH, how),
        ]);
      } finally {
        repeats.told(TAB);
      }
    },
    async stop() {
      // What only waits keeps nobody.
      const answers = await settled(
        call('Runtime.evaluate', { expression: '0' }, { limitMs: PROBE_MS }),
      );
      if (!answers && !dialog)
        await settled(call('Runtime.terminateExecution', {}, { limitMs: PROBE_MS }));
    },
    end: (why) => calls.refuse(why, () => false),
  };
}

const ATTACH = {
  autoAttach: true,
  waitForDebuggerOnStart: false,
  flatten: true,
  filter: [{ type: 'iframe' }],
};

const settled = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const dialogOpen = ({ type, message }: Dialog) =>
  new CommandError(
    'DIALOG_OPEN',
    `A dialog is open in the tab (${type}): ${JSON.stringify(message)}. The user has to answer it there; ` +
      'navigating elsewhere ends it too.',
    { dialog: { type, message } },
  );
