import { routes } from '../protocol';
import type { DownListener } from './downlink';
import type { Endpoints } from './endpoints';
import { createHub, type Port } from './hub';
import type { Post } from './post';
import { createStream } from './stream';

/** Runs the hub in the SharedWorker. */
export function serveTabs(endpoints: Endpoints, post: Post): void {
  const { locks } = navigator;
  const hub = createHub({
    openStream: (down: DownListener) => createStream(endpoints.at(routes.stream), down),
    closePage(page, key) {
      // The page is gone either way; when this is lost, it stays listed until the stream ends.
      post(routes.close, { page, key }).catch(() => undefined);
    },
    untilFree: locks ? async (lock) => void (await locks.request(lock, () => undefined)) : null,
  });
  addEventListener('connect', (event) => {
    const port = (event as MessageEvent).ports[0];
    if (port) hub.add(port as Port);
  });
}
