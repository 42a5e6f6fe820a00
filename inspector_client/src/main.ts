import { createAreaPicker } from './area-picker';
import { attempt, createState } from './basics';
import { createCalls } from './calls';
import { createDownlink } from './connection/downlink';
import { createEndpoints } from './connection/endpoints';
import { readPageInfo, watchPageInfo } from './connection/page-info';
import { createPost } from './connection/post';
import { type Connection, createSession } from './connection/session';
import { createTabMemory } from './connection/tab';
import { dispatch, dispatchItemEvents, showEvents } from './events';
import { createGate } from './gate';
import { createHighlight } from './highlight';
import { createHover } from './hover';
import { whenMine } from './mount';
import { createPicker } from './picker';
import { createPicking } from './picking';
import type { Place } from './protocol';
import { storageNames } from './protocol';
import { createQueue } from './queue/queue';
import { createEntryStorage } from './queue/storage';
import { createRecorder } from './recorder';
import { createShield, isFirstScript } from './shield';
import { createShortcuts } from './shortcuts';
import { createLocator } from './source';
import { createResolver } from './source/resolver';
import { createTools } from './tools';
import { createHost, isHost } from './ui/host';
import { createNote } from './ui/note';
import { mountOverlay } from './ui/overlay';
import { createToasts } from './ui/toasts';
import { createUserNote } from './user-note';

function run(): void {
  const endpoints = createEndpoints(import.meta.url);
  const post = createPost(endpoints);
  const gate = createGate(isHost);
  // First of all: whoever listens earlier, hears more.
  gate.start();
  const recorder = createRecorder(console, window);
  recorder.start();

  const host = createHost();
  const shield = createShield(host.root, gate, isFirstScript(document.scripts, import.meta.url));
  const connection = createState<Connection>({ state: 'connecting' });
  const queue = createQueue({
    storage: createEntryStorage(() => localStorage),
    session: () => sessionStorage,
    bus: attempt(() => new BroadcastChannel(storageNames.local.items), null),
    locks: navigator.locks ?? null,
    view: window,
  });
  const locate = createLocator(
    createResolver((body: { places: Place[] }) => post('resolve', body)),
  );
  const highlight = createHighlight();
  const note = createNote();
  const toasts = createToasts();
  const picking = createPicking({
    element: createPicker({
      gate,
      shield,
      host: host.element,
      hover: createHover(highlight, locate),
    }),
    area: createAreaPicker({
      gate,
      shield,
      drag: (box) => (box ? highlight.area(box) : highlight.hide()),
    }),
    note: createUserNote({
      host: host.element,
      note,
      highlight,
      queue,
      waiting: () => picking.waiting,
      locate,
      saved(context) {
        dispatch('elementInspected', context);
        overlay.openPanel();
      },
    }),
    announce: (ask) => dispatch('activateInspector', ask),
  });
  const overlay = mountOverlay({ host, picking, queue, connection, highlight, note, toasts });

  const inspected = (context: Parameters<typeof dispatch<'elementInspected'>>[1]) =>
    dispatch('elementInspected', context);
  const tools = createTools({ picking, locate, recorder, host: host.element, inspected });
  const calls = createCalls(tools, (body) => session.send('answer', body));
  const session = createSession({
    post,
    queue,
    connection,
    tab: createTabMemory(() => sessionStorage),
    info: readPageInfo,
    onCall: calls.run,
    onCancel: ({ id }) => calls.cancel(id),
    link: (listener) => createDownlink(endpoints, listener),
  });
  const news = watchPageInfo((used) => session.update(used));

  gate.onKey(createShortcuts(picking.forUser));
  gate.onTouched(news.touched);
  queue.onItem(dispatchItemEvents);
  showEvents(toasts.show).start();
  queue.start();
  host.start();
  news.start();
  session.start();

  window.addEventListener('pagehide', () => {
    queue.flush();
    session.leave();
  });
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) session.start();
  });
  window.addEventListener('online', session.wake);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') session.wake();
  });
}

whenMine(run);
