import { createAgents } from './agents';
import { attempt, createState, messageOf } from './basics';
import { createCalls } from './calls';
import { createClock } from './clock';
import { createDownlink } from './connection/downlink';
import { createEndpoints } from './connection/endpoints';
import { readPageInfo, watchPageInfo } from './connection/page-info';
import { createPost } from './connection/post';
import { serveTabs } from './connection/serve-tabs';
import { type Connection, createSession } from './connection/session';
import { createTabMemory } from './connection/tab';
import { createDetailsLoader } from './details';
import { idOf, publish } from './element/registry';
import { followActivation, showEvents, tellActivated, tellChange, tellInspected } from './events';
import { createGate, type KeyWatcher } from './gate';
import { createHighlight } from './highlight';
import { createHover } from './hover';
import { createLazy, whenIdle } from './lazy';
import { whenMine } from './mount';
import { createPicker, createPointing } from './picker';
import { createPicking, type Mode } from './picking';
import { localKeys, routes } from './protocol';
import { createQueue } from './queue/queue';
import { createEntryStorage } from './queue/storage';
import { createRecorder } from './recorder';
import { watchActions } from './report/actions';
import { tellConsole } from './report/console';
import { watchMoves } from './report/moves';
import { watchRequests } from './report/requests';
import { createTrace } from './report/trace';
import { createUpdates } from './report/updates';
import { createReports } from './reports';
import { createSettings } from './settings';
import { createShield, isFirstScript } from './shield';
import { createShortcuts } from './shortcuts';
import { createResolver } from './source/resolver';
import { createTools } from './tools';
import { createHost, isHost } from './ui/host';
import { currentListening } from './ui/listen';
import { showLooks } from './ui/looks';
import { createNote } from './ui/note';
import { fillOverlay } from './ui/overlay';
import { type OpenPlace, texts } from './ui/texts';
import { createToasts } from './ui/toasts';
import { createUserNote } from './user-note';
import type { WorkbenchLoader } from './workbench';

const endpoints = createEndpoints(import.meta.url);
const post = createPost(endpoints);

function run(): void {
  const pickForUser = (mode: Mode) => picking.forUser(mode);
  const pageKeys = createState<KeyWatcher>(() => false);
  const settings = createSettings(endpoints.overlay, () => localStorage);
  const clock = settings.value.freeze ? attempt(() => createClock(window), null) : null;
  const shortcuts = createShortcuts(settings, {
    element: () => pickForUser('element'),
    area: () => pickForUser('area'),
    panel: () => panelShown.set(!panelShown.value),
  });
  const gate = createGate(isHost, (event) => shortcuts(event) || pageKeys.value(event));
  // First of all: whoever listens earlier, hears more.
  gate.join(window);
  const reports = createReports((batch, last) => session.send(routes.report, batch, last));
  const resolve = createResolver((body) => post(routes.resolve, body));
  const trace = createTrace(resolve, reports.hold);
  const updates = createUpdates(reports.tell, trace);
  const recorder = createRecorder(console, tellConsole(reports.tell, updates, trace));
  recorder.start();
  updates.start();
  watchActions(reports.tell);
  watchRequests(reports.tell, endpoints.at(''));
  watchMoves(reports.tell);

  const connection = createState<Connection>({ state: 'connecting' });
  const host = createHost(() => gate.join(window));
  const { element } = host;
  const shield = createShield(host.root, gate, isFirstScript(document.scripts, import.meta.url));
  const queue = createQueue({
    storage: createEntryStorage(() => localStorage),
    session: () => sessionStorage,
    bus: attempt(() => new BroadcastChannel(localKeys.items), null),
    locks: navigator.locks,
    home: endpoints.project,
  });
  const details = createDetailsLoader(async () => {
    const { createDetails } = await import(/* @vite-ignore */ endpoints.at(routes.details));
    return createDetails(resolve, post);
  });
  const highlight = createHighlight();
  const waiting = createState(0);
  const note = createNote(waiting);
  const open: OpenPlace = ({ file, line, column }) =>
    void post(routes.open, { file, line, column }).catch((error) => toasts.show(messageOf(error)));
  const toasts = createToasts();
  /** So that the companion sees it as it is now; without a companion there is nobody to see it. */
  const picked = (element: Element) =>
    void session.send(routes.picked, { element: idOf(element) }).catch(() => undefined);
  const userNote = createUserNote({
    host: element,
    note,
    highlight,
    queue,
    session: () => sessionStorage,
    details,
    open,
    remarks: async (...about) => (await workbench.get()).remarks(...about),
    picked,
    saved(context) {
      tellInspected(context);
      panelShown.set(true);
    },
  });
  const pointing = createPointing();
  const picking = createPicking({
    waiting,
    pick: createPicker({
      gate,
      shield,
      host: element,
      pointing,
      hover: createHover(highlight, details),
      drag: highlight.area,
    }),
    note: userNote.write,
    announce: tellActivated,
    withdrawn: () => toasts.show(texts.withdrawn),
  });
  const panelShown = createState(false);
  const add = fillOverlay({
    host,
    picking,
    pointing,
    settings,
    queue,
    connection,
    highlight,
    note,
    toasts,
    panelShown,
  });
  const workbench: WorkbenchLoader = createLazy(async () => {
    const { createWorkbench } = await import(/* @vite-ignore */ endpoints.at(routes.workbench));
    return createWorkbench({
      host,
      listening: currentListening(),
      picking,
      pointing,
      settings,
      clock,
      queue,
      connection,
      highlight,
      details,
      toasts,
      panelShown,
      agents,
      pageKeys,
      open,
      send: session.send,
      add,
    });
  });
  panelShown.watch((shown) => {
    if (!shown) return;
    workbench.get().catch(() => {
      panelShown.set(false);
      toasts.show(texts.notLoaded);
    });
  });
  picking.turn.watch(({ who }) => {
    if (who !== 'nobody') workbench.prepare();
  });
  // The markers on the page come with it, and what undoes a deletion.
  queue.changed.on(() => {
    if (queue.items().some(({ accepted }) => !accepted) || queue.removed().length > 0)
      whenIdle(workbench.prepare);
  });

  const agents = createAgents(workbench.prepare);
  const tools = createTools({
    picking,
    details,
    recorder,
    host: element,
    inspected: tellInspected,
    picked,
    drawing: () => import(/* @vite-ignore */ endpoints.at(routes.picture)),
  });
  const calls = createCalls(
    tools,
    (body) => session.send(routes.answer, body),
    async () => (await workbench.get()).tools,
    () => (pointing.frozen.value ? texts.standsStill : ''),
  );
  const session = createSession({
    post,
    queue,
    connection,
    tab: createTabMemory(() => sessionStorage),
    info: readPageInfo,
    onCall: calls.run,
    recheck: calls.recheck,
    onCancel: ({ id }) => calls.cancel(id),
    onAgents: agents.tell,
    link: (listener) => createDownlink(endpoints, listener),
  });

  connection.watch(({ state }) => reports.open(state === 'online'));
  gate.touched.on(watchPageInfo(session.update));
  queue.itemChanged.on(tellChange);
  showEvents(toasts.show);
  followActivation(picking);
  publish();
  queue.start();
  showLooks(host, settings, workbench.prepare);
  host.start();
  if (userNote.isCut) picking.resume();
  session.start();

  addEventListener('pagehide', () => {
    userNote.keep();
    queue.flush();
    reports.leave();
    session.leave();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) session.start();
  });
  for (const type of ['online', 'visibilitychange']) addEventListener(type, session.wake);
}

if ('document' in globalThis) whenMine(run);
else serveTabs(endpoints, post);
