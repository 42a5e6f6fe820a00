import { randomId } from '../basics';
import { protocol } from '../protocol';
import type { DownListener, Downlink, DownMessage } from './downlink';
import type { UpMessage } from './hub';

const READY_WITHIN_MS = 4000;

/** The page's end of the SharedWorker. `failed` is called once when the worker does not come up. */
export function createWorkerLink(
  url: string,
  listener: DownListener,
  failed: () => void,
): Downlink {
  let port: MessagePort | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let given = false;
  let locked = '';
  let lock = '';

  function giveUp(): void {
    if (given) return;
    given = true;
    clearTimeout(timer);
    port?.close();
    failed();
  }
  function onMessage({ data }: MessageEvent<DownMessage>): void {
    given = true;
    clearTimeout(timer);
    listener(data);
  }
  const send = (message: UpMessage) => port?.postMessage(message);

  return {
    start() {
      try {
        const worker = new SharedWorker(url, { type: 'module', name: `pageside-${protocol}` });
        worker.onerror = giveUp;
        port = worker.port;
        port.onmessage = onMessage;
        timer = setTimeout(giveUp, READY_WITHIN_MS);
      } catch {
        giveUp();
      }
    },
    stop() {
      clearTimeout(timer);
      send({ kind: 'bye' });
      port?.close();
    },
    wake: () => send({ kind: 'wake' }),
    introduce(page, key) {
      const hello = () => send({ kind: 'page', page, key, lock: navigator.locks ? lock : null });
      if (!navigator.locks || locked === page) return hello();
      locked = page;
      // Every script of the origin can list the names of locks: none of them tells the page's id.
      lock = `pageside-page-${randomId()}`;
      // Held until the document is gone, from before the worker waits for it: so it learns of a crash, and only then.
      void navigator.locks.request(lock, () => {
        hello();
        return new Promise(() => undefined);
      });
    },
  };
}
