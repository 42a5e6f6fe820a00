import { createEndpoints } from './connection/endpoints';
import { createHub, type Port } from './connection/hub';
import { createPost } from './connection/post';
import { createStream } from './connection/stream';

const endpoints = createEndpoints(location.href);
const post = createPost(endpoints);
const { locks } = navigator;

const hub = createHub({
  openStream: (down) => createStream(endpoints.at('stream'), down),
  closePage(page, key) {
    // The page is gone either way; when this is lost, the companion's own time limit closes it.
    post('close', { page, key }).catch(() => undefined);
  },
  untilFree: locks ? async (lock) => void (await locks.request(lock, () => undefined)) : null,
});

addEventListener('connect', (event) => {
  const port = (event as MessageEvent).ports[0];
  if (port) hub.add(port as Port);
});
