// How a navigation comes out: a document that commits and loads, or what there is instead of one.
import { CommandError } from '../rules/failure';
import { promised } from '../rules/promised';
import type { Page } from './page';

export interface Arrival {
  readonly isCommitted: boolean;
  /** Of the HTTP response that the document came with. */
  readonly status: number | null;
  /** True when it has loaded ('' stands for any loader); false when a dialog holds it up; throws why it never will. */
  loaded(loader: string): Promise<boolean>;
  /** Why Chrome opened nothing, though it was told to. */
  refusal(url: string, reason: string): Promise<CommandError>;
  close(): void;
}

const ABORTED = 'net::ERR_ABORTED';
const DOWNLOAD_MS = 1000;

interface Life {
  frameId: string;
  loaderId: string;
  name: string;
}
interface Navigated {
  type?: string;
  frame: { id: string; parentId?: string; loaderId: string; unreachableUrl?: string };
}
interface Asked {
  frameId?: string;
  requestId: string;
  loaderId: string;
  request: { url: string };
}

export function watchArrival({ events, documents, dialog }: Page): Arrival {
  const asked = new Map<string, string>();
  const loads = new Set<string>();
  let isCommitted = false;
  let isHeldUp = dialog !== null;
  let status: number | null = null;
  let failure: CommandError | null = null;
  let reason = '';
  let news = promised();

  const tell = () => {
    news.resolve();
    news = promised();
  };
  const fail = (why: CommandError) => {
    failure = why;
    tell();
  };
  const arrived = (loader: string) => {
    isCommitted = true;
    isHeldUp = false;
    loads.add(loader);
    tell();
  };
  const stops = [
    events.on<Life>('Page.lifecycleEvent', ({ frameId, loaderId, name }) => {
      if (frameId !== documents.main) return;
      if (name === 'init') {
        isCommitted = true;
        isHeldUp = false;
      } else if (name === 'load' && isCommitted) arrived(loaderId);
    }),
    events.on<Navigated>('Page.frameNavigated', ({ type, frame }, session) => {
      if (frame.parentId || session !== undefined) return;
      // A document from the back/forward cache is there as a whole.
      if (type === 'BackForwardCacheRestore') arrived(frame.loaderId);
      else if (frame.unreachableUrl) {
        isCommitted = true;
        fail(unreachable(frame.unreachableUrl, reason));
      }
    }),
    events.on<{ frameId: string }>('Page.navigatedWithinDocument', ({ frameId }) => {
      if (frameId === documents.main) arrived('');
    }),
    events.on<{ frameId: string; url: string }>('Page.downloadWillBegin', ({ frameId, url }) => {
      if (frameId !== documents.main || isCommitted) return;
      fail(stays(`${url} is a download, not a page`));
    }),
    events.on<Asked>('Network.requestWillBeSent', ({ frameId, requestId, loaderId, request }) => {
      if (frameId === documents.main && requestId === loaderId) asked.set(requestId, request.url);
    }),
    events.on<{ requestId: string; response: { status: number } }>(
      'Network.responseReceived',
      ({ requestId, response }) => {
        if (asked.has(requestId)) status = response.status;
      },
    ),
    events.on<{ requestId: string; errorText: string }>(
      'Network.loadingFailed',
      ({ requestId, errorText }) => {
        const url = asked.get(requestId);
        if (url === undefined || isCommitted) return;
        reason = errorText;
        if (status === 204 || status === 205)
          fail(stays(`${url} answered ${status}, which has no content`));
      },
    ),
    events.on<{ type: string }>('Page.javascriptDialogOpening', ({ type }) => {
      if (type === 'beforeunload') return;
      // One of the page that is left goes with it.
      if (isCommitted) isHeldUp = true;
      tell();
    }),
  ];
  const unreachable = (url: string, why: string) =>
    new CommandError(
      'NAVIGATION_FAILED',
      `Cannot open ${url}: ${why || 'Chrome shows an error page'}${status === null ? '' : ` (HTTP status ${status})`}.`,
    );

  return {
    get isCommitted() {
      return isCommitted;
    },
    get status() {
      return status;
    },
    async loaded(loader) {
      const isThere = () => (loader ? loads.has(loader) : loads.size > 0);
      while (!failure && !isThere() && !(isHeldUp && isCommitted)) await news.promise;
      if (failure) throw failure;
      return isThere();
    },
    async refusal(url, why) {
      if (why === ABORTED && status !== null && !failure) {
        // The response was no document; Chrome tells a little later of the download that it became.
        const timer = setTimeout(tell, DOWNLOAD_MS);
        await news.promise;
        clearTimeout(timer);
      }
      return failure ?? unreachable(url, why);
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}

const stays = (why: string) =>
  new CommandError('NAVIGATION_FAILED', `${why}: the tab stays where it is.`);
